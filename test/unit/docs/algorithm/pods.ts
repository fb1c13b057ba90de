import { groupPods } from "#domain/fleet/group-pods";
import { livePods } from "#domain/fleet/live-pods";
import type { ContainerRequests, Pod } from "#domain/fleet/pod";
import { podRequest } from "#domain/fleet/pod-request";
import { DEFAULT_POLICY } from "#domain/scale/policy";
import type { Answers } from "#test/unit/docs/algorithm/answers";

const NOW_MS = 10_000_000;
const HOUR_MS = 3_600_000;
const ago = (seconds: number) => NOW_MS - seconds * 1000;

export const pods: Answers = {
  "E-20": () => group({}, 40),
  "E-21": () => group({ phase: "Pending" }, 40),
  "E-22": () => group({}),
  "E-23": () => group({}, -513),
  "E-24": () => group({ deleted: true }, 40),
  "E-25": () => group({ phase: "Succeeded" }),
  "E-26": () => group({ startedAtMs: ago(60), ready: { status: "False", sinceMs: ago(60) } }, 40),
  "E-27": () => group({ startedAtMs: ago(60), ready: { status: "True", sinceMs: ago(29) } }, 40),
  "E-28": () => group({ startedAtMs: ago(60), ready: { status: "True", sinceMs: ago(30) } }, 40),
  "E-29": () => group({ ready: { status: "False", sinceMs: ago(3600 - 29) } }, 40),
  "E-30": () => group({ ready: { status: "False", sinceMs: ago(3600 - 30) } }, 40),
  "E-31": () => {
    const { ready: _, ...without } = podOf({});
    return groupOf(without, 40, "cpu");
  },
  "E-32": () =>
    groupOf(podOf({ startedAtMs: ago(60), ready: { status: "False", sinceMs: ago(60) } }), 40, "memory"),
  "E-33": () => request({ containers: [container("app", 100), container("sidecar", 100)] }),
  "E-34": () => request({ containers: [container("app", 100)], podRequests: { cpu: 500 } }),
  "E-35": () => request({ containers: [container("app", 100), container("proxy", 50)] }, "proxy"),
  "E-36": () => request({ containers: [container("app", 100)] }, "proxy"),
  "E-37": () => request({ containers: [container("app", 100), { name: "x", requests: {} }] }),
};

function group(pod: Partial<Pod>, sample?: number): string {
  return groupOf(podOf(pod), sample, "cpu");
}

/** The sample's window is 30 s and ends now. */
function groupOf(pod: Pod, sample: number | undefined, resource: string): string {
  const samples =
    sample === undefined
      ? []
      : [{ pod: pod.name, milliValue: sample, timestampMs: NOW_MS, windowSeconds: 30 }];
  const live = livePods([pod], { requirements: [] });
  if (live.length === 0) return "dropped";
  const question = { resource, withRequests: true };
  const { clusters } = groupPods([{ cluster: "a", pods: live, samples }], question, NOW_MS, DEFAULT_POLICY);
  const [counts] = clusters;
  return (["ready", "unready", "missing", "ignored"] as const).filter((name) => counts?.[name] === 1).join();
}

function podOf(pod: Partial<Pod>): Pod {
  return {
    name: "web-0",
    phase: "Running",
    deleted: false,
    startedAtMs: NOW_MS - HOUR_MS,
    ready: { status: "True", sinceMs: NOW_MS - HOUR_MS },
    containers: [{ name: "app", requests: { cpu: 100, memory: 100 } }],
    labels: {},
    ...pod,
  };
}

function request(pod: Partial<Pod>, name?: string): string {
  const milli = podRequest(podOf(pod), "cpu", name);
  return milli === undefined ? "the metric fails" : `${milli}m`;
}

function container(name: string, cpu: number): ContainerRequests {
  return { name, requests: { cpu } };
}
