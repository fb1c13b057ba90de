import type { RelayEvent } from "#app/relay/deps";
import { paint, print } from "./terminal.ts";

/** What `mainsheet relay` says: who holds the lease, what is in the way, and every ten seconds how it stands. */
export interface RelayOutput {
  start(hub: string, sources: readonly string[]): void;
  readonly tell: (event: RelayEvent) => void;
  /** Whether the last checkpoint was written. */
  end(isWritten: boolean): void;
}

const PROGRESS_MS = 10_000;
/** The same trouble is told again after so long. */
const REPEAT_MS = 60_000;

export function openRelayOutput(json: boolean): RelayOutput {
  const counts = { seen: 0, published: 0, listed: 0, checkpoints: 0, faults: 0 };
  const saidAt = new Map<string, number>();
  let state = "starting";
  let shown = "";
  let timer: NodeJS.Timeout | undefined;

  function say(type: string, fields: Readonly<Record<string, unknown>>, text: string): void {
    const time = new Date().toISOString();
    print(json ? JSON.stringify({ type, time, ...fields }) : `${time.slice(11, 19)}  ${text}`);
  }
  const numbers = () =>
    `${counts.seen} events seen, ${counts.published} published, ${counts.checkpoints} checkpoints`;

  function progress(): void {
    const now = `${state}: ${numbers()}`;
    if (now === shown && !json) return;
    shown = now;
    say("progress", { state, ...counts }, now);
  }

  function fault({ where, message, againMs }: Extract<RelayEvent, { kind: "fault" }>): void {
    counts.faults += 1;
    const key = `${where} ${message}`;
    const at = performance.now();
    if (at - (saidAt.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    saidAt.set(key, at);
    const again = `tried again after ${(againMs / 1000).toFixed(1)} s`;
    say("trouble", { where, message, againMs }, paint("yellow", `${where}: ${message}; ${again}`));
  }

  return {
    start(hub, sources) {
      say("start", { hub, sources }, paint("bold", `relay of ${hub}: ${sources.join(", ")}`));
      timer = setInterval(progress, PROGRESS_MS);
    },
    tell(event) {
      if (event.kind === "seen") counts.seen += 1;
      else if (event.kind === "published") counts.published += event.events;
      else if (event.kind === "listed") counts.listed += 1;
      else if (event.kind === "checkpoint") counts.checkpoints += 1;
      else if (event.kind === "fault") fault(event);
      else if (event.kind === "standing-by") {
        state = "standing by";
        say("standing-by", { holder: event.holder }, `standing by: ${event.holder} holds the lease`);
      } else if (event.kind === "lost") {
        say("lost", { fence: event.fence }, paint("yellow", "another relay has taken over"));
      } else if (event.kind === "holding") {
        state = "relaying";
        const { fence, resumed } = event;
        const told = resumed ? "goes on where the last relay stopped" : "begins anew";
        say("holding", { fence, resumed }, `${told} (fence ${fence})`);
      }
    },
    end(isWritten) {
      clearInterval(timer);
      say("end", { ...counts, checkpoint: isWritten }, `stopped: ${numbers()}`);
    },
  };
}
