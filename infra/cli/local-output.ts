import { styleText } from "node:util";
import type { RelayEvent } from "#app/relay/deps";
import { formatInstant } from "#domain/units/instant";
import type { AwsHostEvent } from "#infra/local/aws-host";
import { RANK } from "#infra/local/clock";
import { type CronLine, type DecisionLine, decisionOf, placementOf } from "#infra/local/decision-line";
import type { Host, HostOptions } from "#infra/local/host";

/** What `mainsheet local` says: first what runs, then a line for each decision, last what it came to. */
export interface Output {
  observe(event: AwsHostEvent): void;
  /** What the relay does, where there is one. */
  relay(event: RelayEvent): void;
  ready(host: Host, hub: HostOptions["hub"], places: Places): void;
  /** The host is being stopped: what its parts say of it is no news. */
  stopping(): void;
  end(host: Host): void;
}

export interface Places {
  /** The live page's address. */
  readonly page: string;
  /** When it stays. */
  readonly dataDir: string | undefined;
}

/** Beyond so many objects in a slot, people are shown changes only; programs get every decision. */
const EVERY_DECISION_UP_TO = 20;

export function openOutput(json: boolean): Output {
  const color = !json && process.stdout.isTTY && !process.env.NO_COLOR;
  const paint = (style: "bold" | "dim" | "yellow" | "green", text: string) =>
    color ? styleText(style, text) : text;
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const record = (type: string, fields: object) => print(JSON.stringify({ type, ...fields }));
  const totals = { decisions: 0, scales: 0, cronRuns: 0, events: 0 };
  let slot = { atMs: 0, decisions: 0 };
  let host: Host | undefined;

  function decision(line: DecisionLine): void {
    totals.decisions += 1;
    if (line.result === "scaled") totals.scales += 1;
    slot =
      slot.atMs === line.atMs
        ? { ...slot, decisions: slot.decisions + 1 }
        : { atMs: line.atMs, decisions: 1 };
    const { atMs, object, from, to, why, result } = line;
    const clusters = host?.fleet ? placementOf(host.fleet.fleet, object, line.clusters) : line.clusters;
    const time = formatInstant(atMs);
    if (json) {
      record("decision", { time, object, from, to, clusters, result, why });
      return;
    }
    const changes = result !== "unchanged" && result !== "held";
    if (!changes && slot.decisions > EVERY_DECISION_UP_TO) return;
    const replicas = `${from ?? "?"} → ${to ?? "?"}`.padEnd(9);
    const placed = Object.entries(clusters)
      .map(([name, count]) => `${name} ${count ?? "?"}${line.clusters[name] === null ? " (unreadable)" : ""}`)
      .join(", ");
    const told = result === "unchanged" || result === "scaled" ? why : `${result}: ${why}`;
    const text = `${time.slice(11, 19)}  ${object.padEnd(20)}  ${replicas}  ${placed.padEnd(22)}  ${told}`;
    print(result === "scaled" ? paint("green", text) : changes ? paint("yellow", text) : text);
  }

  function cronRun({ atMs, executionMs, object, ...line }: CronLine): void {
    totals.cronRuns += 1;
    const time = formatInstant(executionMs);
    if (json) {
      record("cron", { time, scheduleTime: formatInstant(atMs), object, ...line });
      return;
    }
    const { result, rule, why } = line;
    const isDone = result === "applied" || result === "overridden";
    const told = isDone ? why : `${result}: ${why}`;
    const text = `${time.slice(11, 19)}  ${object.padEnd(20)}  rule ${rule}, due ${formatInstant(atMs).slice(11, 19)}: ${told}`;
    print(paint(isDone ? "green" : "yellow", text));
  }

  function trouble(message: string): void {
    if (json) record("trouble", { message });
    else print(paint("yellow", `!         ${message}`));
  }

  return {
    observe(event) {
      if (host === undefined) return;
      if (event.kind === "process" && event.state === "ended") {
        trouble(`the functions' process ended (${event.reason}); a new one starts with the next invocation`);
      } else if (event.kind === "invocation" && event.failure) {
        trouble(`${event.functionName} failed: ${event.failure.errorType}: ${event.failure.errorMessage}`);
      } else if (event.kind === "log") {
        const line = decisionOf(event.line);
        // Printed when the fleet has acted on it, so that the clusters are those after the scale.
        if (line?.kind === "decision") host.clock.at(host.clock.nowMs(), () => decision(line), RANK.cloud);
        else if (line?.kind === "cron") cronRun(line);
        else if (line?.kind === "trouble") trouble(line.message);
      }
    },

    relay(event) {
      if (event.kind === "published") totals.events += event.events;
      else if (event.kind === "fault" && host !== undefined)
        trouble(`relay: ${event.where}: ${event.message}`);
    },

    ready(started, hub, places) {
      host = started;
      const { fleet, aws, clock } = started;
      const time = formatInstant(clock.nowMs());
      if (json) {
        record("ready", {
          time,
          hub: fleet?.url,
          kubeconfig: fleet?.kubeconfig ?? (hub.kind === "real" ? hub.kubeconfig : undefined),
          aws: aws.endpoint,
          page: places.page,
          mode: hub.kind === "real" ? hub.mode : "active",
        });
        return;
      }
      for (const line of introduction(started, hub, places)) print(line);
      print(
        paint(
          "bold",
          `${"time".padEnd(8)}  ${"object".padEnd(20)}  ${"replicas".padEnd(9)}  ${"clusters".padEnd(22)}  why`,
        ),
      );
    },

    stopping() {
      host = undefined;
    },

    end({ clock, aws }) {
      const counts = Object.values(aws.statistics().functions);
      const invocations = counts.reduce((sum, { invocations: n }) => sum + n, 0);
      const errors = counts.reduce((sum, { errors: n }) => sum + n, 0);
      const summary = { time: formatInstant(clock.nowMs()), ...totals, invocations, errors };
      if (json) record("end", summary);
      else
        print(
          `stopped at ${summary.time}: ${totals.decisions} decisions, ${totals.scales} scales, ${totals.cronRuns} cron runs, ${totals.events} events relayed, ${invocations} invocations, ${errors} failed`,
        );
    },
  };
}

function introduction(
  { fleet, aws, clock }: Host,
  hub: HostOptions["hub"],
  { page, dataDir }: Places,
): string[] {
  const queues = Object.keys(aws.statistics().queues).length;
  const cloud = `  cloud     ${aws.endpoint}  ${queues} queues, a table and a bus; functions in a process of their own`;
  const live = `  page      ${page}  open it in a browser`;
  const data =
    dataDir === undefined ? [] : [`  data      ${dataDir}  (kept; start with the same --data to go on)`];
  if (fleet === undefined || hub.kind === "real") {
    const { kubeconfig, context, mode } = hub as Extract<HostOptions["hub"], { kind: "real" }>;
    const does =
      mode === "observe"
        ? "reads and decides, writes nothing (--active writes)"
        : "writes scales, status and Events";
    return [
      `Mainsheet on this machine, against the hub of ${kubeconfig}${context ? ` (${context})` : ""}`,
      cloud,
      live,
      ...data,
      `  mode      ${mode}: ${does}`,
      "",
    ];
  }
  const kubectl = `kubectl --kubeconfig ${fleet.kubeconfig}`;
  const members = [...fleet.fleet.members.keys()];
  return [
    `Mainsheet on this machine: scenario ${hub.scenario.name}, from ${formatInstant(clock.nowMs())}, ${hub.speed} virtual second(s) per second`,
    `  hub       ${fleet.url}  a Karmada hub with ${members.length} members: ${members.join(", ")}`,
    cloud,
    live,
    ...data,
    `  try       ${kubectl} get fhpa`,
    `            ${kubectl} describe fhpa`,
    `            ${kubectl} --context ${members[0]} get pods -w`,
    "  stop      Ctrl-C",
    "",
  ];
}
