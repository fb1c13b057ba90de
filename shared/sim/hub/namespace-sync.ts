import type { ApiServer } from "#sim/api/api-server";
import type { Controller } from "#sim/controller";
import { keyTextOf, readKeyText } from "#sim/key";
import { isOf, KINDS } from "#sim/kinds";
import { WorkQueue } from "#sim/work-queue";
import { Writer } from "#sim/writes";
import { isCutOff } from "./faults.ts";
import { LABEL, MANAGER } from "./karmada.ts";

/** Karmada's namespace-sync controller: each namespace of the hub is in every member, and leaves them with it. */
export function namespaceSync(hub: ApiServer, members: ReadonlyMap<string, ApiServer>): Controller {
  const queue = new WorkQueue();
  return {
    name: "namespace-sync",
    queue,
    observe(change, at) {
      if (isOf(change, KINDS.namespaces) && (at === hub || change.type === "DELETED")) {
        queue.touch(keyTextOf(change.object));
      }
      if (at !== hub) return;
      if (isOf(change, KINDS.clusters) && isCutOff(change.previous) !== isCutOff(change.object)) {
        for (const namespace of hub.store.list(KINDS.namespaces)) queue.touch(keyTextOf(namespace));
      }
    },
    reconcile(key, nowMs) {
      const { name } = readKeyText(key);
      const isWanted = hub.store.get(KINDS.namespaces, undefined, name) !== undefined;
      for (const [cluster, member] of members) {
        if (isCutOff(hub.store.get(KINDS.clusters, undefined, cluster))) continue;
        const present = member.store.get(KINDS.namespaces, undefined, name);
        const writer = new Writer(member, KINDS.namespaces, MANAGER);
        if (isWanted && present === undefined) {
          const metadata = { name, labels: { [LABEL.managed]: "true" } };
          writer.create({ apiVersion: "v1", kind: "Namespace", metadata }, nowMs);
        } else if (!isWanted && present?.metadata.labels?.[LABEL.managed] === "true") {
          writer.remove(present, nowMs);
        }
      }
      return undefined;
    },
  };
}
