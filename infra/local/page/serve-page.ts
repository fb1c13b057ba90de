import { readFile } from "node:fs/promises";
import { bundleBrowser } from "#infra/bundle-browser";
import type { AwsHostEvent } from "#infra/local/aws-host";
import { RANK } from "#infra/local/clock";
import { decisionOf } from "#infra/local/decision-line";
import type { Host, HostOptions } from "#infra/local/host";
import { LOCAL_HUBS } from "#infra/local/hub-names";
import { pageActions } from "./actions.ts";
import { eventStreams } from "./event-stream.ts";
import { openFleetEye } from "./fleet-eye.ts";
import type { AccountOf } from "./ledger-accounts.ts";
import { PageModel } from "./page-model.ts";
import { type PageFile, startPageServer } from "./page-server.ts";

export interface LivePage {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  /** What the host's parts say: decisions are told from it. */
  observe(event: AwsHostEvent): void;
  close(): Promise<void>;
}

const HTML = new URL("../../browser/page/index.html", import.meta.url);

/** Serves the live page of a host; throws one sentence where the port is taken. 0 takes a free one. */
export async function servePage(host: Host, hub: HostOptions["hub"], port: number): Promise<LivePage> {
  const { clock, aws } = host;
  const fleet = host.fleet && { host: host.fleet, eye: openFleetEye(host.fleet.fleet) };
  // The SDK's clients are loaded when a reader first asks for what needs them.
  const bus = once(async () => {
    const [{ eventBridgeBus }, { eventBridgeClient }, { CLIENT }] = await Promise.all([
      import("#adapters/eventbridge/bus"),
      import("#adapters/eventbridge/client"),
      import("./ledger-accounts.ts"),
    ]);
    return eventBridgeBus("mainsheet", eventBridgeClient({ endpoint: aws.endpoint, ...CLIENT }));
  });
  const accounts = once(async () => {
    const { ledgerAccounts } = await import("./ledger-accounts.ts");
    return ledgerAccounts(aws.endpoint, hub.kind === "real" ? LOCAL_HUBS.real : LOCAL_HUBS.embedded, clock);
  });
  const accountOf: AccountOf = async (key, atMs) => (await accounts())(key, atMs);
  const actions = fleet && pageActions({ ...fleet, clock, bus });
  const model = new PageModel({
    mode: hub.kind === "real" ? hub.mode : "embedded",
    clock,
    ...(fleet === undefined ? {} : { eye: fleet.eye }),
    ...(actions === undefined ? {} : { isLoadChanged: actions.isLoadChanged }),
  });
  const server = await startPageServer({
    port,
    streams: eventStreams(model),
    files: once(pageFiles),
    accountOf,
    ...(actions === undefined ? {} : { act: actions.run }),
  });

  return {
    url: `http://127.0.0.1:${server.port}/`,
    observe(event) {
      if (event.kind !== "log") return;
      const line = decisionOf(event.line);
      // When the fleet has acted on it, so that the clusters are those after the scale.
      if (line?.kind === "decision") clock.at(clock.nowMs(), () => model.decided(line), RANK.cloud);
      else if (line?.kind === "cron") model.cronRan(line);
    },
    close: server.close,
  };
}

async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const [html, { script, style }] = await Promise.all([readFile(HTML, "utf8"), bundleBrowser("page")]);
  return new Map([
    ["/", { type: "text/html; charset=utf-8", text: html }],
    ["/main.js", { type: "text/javascript; charset=utf-8", text: script }],
    ["/main.css", { type: "text/css; charset=utf-8", text: style }],
  ]);
}

/** Makes it once; one that failed is made again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
