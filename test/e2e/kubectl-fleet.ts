import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goDefinitions } from "#infra/local/kube/go-schemas";
import { kubeconfigOf } from "#infra/local/kube/kubeconfig";
import { type KubeServer, serveKubernetes } from "#infra/local/kube/server";
import { realClock } from "#infra/local/real-clock";
import type { ApiServer } from "#sim/api/api-server";
import type { Outcome } from "#sim/api/failure";
import { seededIds } from "#sim/api/ids";
import { CUSTOM_RESOURCE_DEFINITIONS, crdObject } from "#sim/api/kinds/crd";
import type { KubeObject } from "#sim/api/object";
import { HUB_CRDS, hubCatalogue, memberCatalogue } from "#sim/api/resources";
import { createApiServer } from "#sim/api/server";
import { Store } from "#sim/api/store";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { type KubectlRelease, kubectlBinary } from "./kubectl-binary.ts";

/** A hub with two members over HTTP, with no controllers: what is in it was put there by the test. */
export interface KubectlFleet {
  readonly hub: ApiServer;
  readonly members: ReadonlyMap<string, ApiServer>;
  readonly server: KubeServer;
  /** Runs kubectl against the fleet; its output is trimmed. */
  kubectl(args: readonly string[], stdin?: string): Promise<KubectlRun>;
  /** Starts kubectl and lets it run until `stop`, which gives what it had printed. */
  watch(args: readonly string[]): { stop(): Promise<string>; printed(): string };
  stop(): Promise<void>;
}

export interface KubectlRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MEMBERS = ["member1", "member2"];

export async function kubectlFleet(release: KubectlRelease): Promise<KubectlFleet> {
  const clock = realClock();
  const definitions = goDefinitions();
  const ids = seededIds("kubectl");
  const hub = createApiServer({
    name: "hub",
    store: new Store(),
    catalogue: hubCatalogue(definitions),
    ids,
    admission: KARMADA_WEBHOOKS,
  });
  const members = new Map(
    MEMBERS.map((name) => [
      name,
      createApiServer({ name, store: new Store(), catalogue: memberCatalogue(definitions), ids }),
    ]),
  );
  for (const api of [hub, ...members.values()]) {
    put(api, { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
  }
  for (const spec of HUB_CRDS) {
    done(hub.create(CUSTOM_RESOURCE_DEFINITIONS, crdObject(spec), { nowMs: clock.nowMs() }));
  }
  const server = await serveKubernetes({ fleet: { hub, members, access: () => ({ delayMs: 0 }) }, clock });
  const home = mkdtempSync(join(tmpdir(), "mainsheet-kubectl-"));
  const kubeconfig = join(home, "config");
  writeFileSync(kubeconfig, kubeconfigOf(server.url, MEMBERS));
  const binary = kubectlBinary(release);
  const env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: kubeconfig };

  return {
    hub,
    members,
    server,
    kubectl: (args, stdin) =>
      new Promise((resolve) => {
        const child = execFile(binary, args, { env, timeout: 15_000 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
          resolve({ code, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() });
        });
        child.stdin?.end(stdin ?? "");
      }),
    watch(args) {
      let text = "";
      const child = execFile(binary, args, { env });
      child.stdout?.on("data", (chunk: string) => {
        text += chunk;
      });
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
      return {
        printed: () => text,
        async stop() {
          child.kill("SIGINT");
          await ended;
          return text.trimEnd();
        },
      };
    },
    async stop() {
      await server.close();
      clock.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Puts an object, with its status, as some controller would. */
export function put(api: ApiServer, object: KubeObject | Record<string, unknown>): KubeObject {
  const made = object as unknown as KubeObject;
  const type = api.catalogue.findKind(made.apiVersion, made.kind);
  if (type === undefined) throw new Error(`${api.name} serves no ${made.kind}`);
  const write = { nowMs: Date.now(), fieldManager: "karmada-controller-manager" };
  const created = done(api.create(type, made, write));
  if (made.status === undefined || !type.status) return created;
  return done(api.update(type, { ...created, status: made.status }, { ...write, subresource: "status" }));
}

function done<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.value;
}
