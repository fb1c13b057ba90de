import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AwsHostEvent } from "#infra/local/aws-host";
import { type Host, type HostOptions, startHost } from "#infra/local/host";
import { type LivePage, servePage } from "#infra/local/page/serve-page";

export interface LiveHost {
  readonly host: Host;
  readonly url: string;
  /** What was put on the bus, by its detail-type. */
  readonly events: readonly string[];
  stop(): Promise<void>;
}

/** A local host with its page, as `mainsheet local` makes them; its clock runs until it is stopped. */
export async function startLive(hub: HostOptions["hub"]): Promise<LiveHost> {
  const dataDir = mkdtempSync(join(tmpdir(), "mainsheet-page-"));
  let page: LivePage | undefined;
  const events: string[] = [];
  const observe = (event: AwsHostEvent) => {
    page?.observe(event);
    if (event.kind === "bus") events.push(event.event["detail-type"]);
  };
  const host = await startHost({ hub, dataDir, observe, logDecisions: "all", ledgerDecisions: "all" });
  page = await servePage(host, hub, 0);
  const running = host.clock.runUntil(Number.POSITIVE_INFINITY);
  return {
    host,
    url: page.url,
    events,
    async stop() {
      host.clock.stop();
      await running;
      await page?.close();
      await host.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
