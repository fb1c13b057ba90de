import type { KubeObject } from "#sim/api/object";
import { age } from "#sim/api/view/age";
import { AGE, column } from "./column.ts";

/** The columns of `kubectl get pods`. Ref: kubernetes v1.36 pkg/printers/internalversion, printPod. */
export const POD_COLUMNS = [
  column("Ready", (pod) => `${readyContainers(pod)}/${containersOf(pod).length}`),
  column("Status", podReason),
  column("Restarts", podRestarts),
  AGE,
  column("IP", (pod) => String(pod.status?.podIP ?? "<none>"), { wide: true }),
  column("Node", (pod) => String(pod.spec?.nodeName ?? "<none>"), { wide: true }),
  column("Nominated Node", (pod) => String(pod.status?.nominatedNodeName ?? "<none>"), { wide: true }),
  column("Readiness Gates", () => "<none>", { wide: true }),
];

interface ContainerStatus {
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number; readonly signal?: number };
  };
  readonly lastState?: { readonly terminated?: { readonly finishedAt?: string } };
}

function containersOf(pod: KubeObject): readonly unknown[] {
  return (pod.spec?.containers ?? []) as readonly unknown[];
}

function statusesOf(pod: KubeObject): readonly ContainerStatus[] {
  return (pod.status?.containerStatuses ?? []) as readonly ContainerStatus[];
}

function readyContainers(pod: KubeObject): number {
  return statusesOf(pod).filter(({ ready, state }) => ready === true && state?.running !== undefined).length;
}

/** The phase, unless a container or the deletion says more. */
function podReason(pod: KubeObject): string {
  const { phase, reason } = (pod.status ?? {}) as { phase?: string; reason?: string };
  const shown = statusesOf(pod).reduceRight(
    (text, status) => containerReason(status) ?? text,
    reason ?? phase ?? "Unknown",
  );
  const isReady = ((pod.status?.conditions ?? []) as { type: string; status: string }[]).some(
    (condition) => condition.type === "Ready" && condition.status === "True",
  );
  const running = statusesOf(pod).some(({ ready, state }) => ready && state?.running);
  const word = shown === "Completed" && running ? (isReady ? "Running" : "NotReady") : shown;
  if (pod.metadata.deletionTimestamp === undefined) return word;
  if (reason === "NodeLost") return "Unknown";
  return phase === "Succeeded" || phase === "Failed" ? word : "Terminating";
}

function containerReason({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  const terminated = state?.terminated;
  if (terminated === undefined) return undefined;
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`;
}

function podRestarts(pod: KubeObject, nowMs: number): string {
  const statuses = statusesOf(pod);
  const restarts = statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const ends = statuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []).sort();
  const last = ends.at(-1);
  return restarts > 0 && last !== undefined ? `${restarts} (${age(last, nowMs)} ago)` : String(restarts);
}
