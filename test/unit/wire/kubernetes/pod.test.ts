import { describe, expect, it } from "vitest";
import { decodePod, decodePods } from "#wire/kubernetes/pod";

type Json = Record<string, unknown>;

function pod(spec: Json = {}, status: Json = {}, metadata: Json = {}): Json {
  return { metadata: { name: "web-0", namespace: "shop", ...metadata }, spec, status };
}

const container = (name: string, requests?: unknown, rest: Json = {}) => ({
  name,
  ...(requests === undefined ? {} : { resources: { requests } }),
  ...rest,
});

function decoded(item: unknown) {
  const read = decodePod(item);
  if (!read.ok) throw new Error(read.fault.message);
  return read.value;
}

const message = (item: unknown) => {
  const read = decodePod(item);
  return read.ok ? "read" : read.fault.message;
};

describe("a pod of the API", () => {
  it("comes with what a decision asks for", () => {
    const item = pod(
      { containers: [container("app", { cpu: "250m", memory: "64Mi" }), container("log")] },
      {
        phase: "Running",
        startTime: "2026-03-01T08:00:00Z",
        conditions: [
          { type: "PodScheduled", status: "True" },
          { type: "Ready", status: "False", lastTransitionTime: "2026-03-01T08:00:05Z" },
        ],
      },
      {
        labels: { app: "web" },
        ownerReferences: [
          { kind: "Node", name: "n1", uid: "1" },
          { kind: "ReplicaSet", name: "web-7d", uid: "2", controller: true },
        ],
      },
    );
    expect(decoded(item)).toEqual({
      name: "web-0",
      phase: "Running",
      deleted: false,
      startedAtMs: 1_772_352_000_000,
      ready: { status: "False", sinceMs: 1_772_352_005_000 },
      containers: [
        { name: "app", requests: { cpu: 250, memory: 67_108_864_000 } },
        { name: "log", requests: {} },
      ],
      labels: { app: "web" },
      owner: "ReplicaSet/web-7d",
    });
  });

  it("absent members stay absent: no phase, start, condition or owner, and no requests", () => {
    expect(decoded({ metadata: { name: "web-0" } })).toEqual({
      name: "web-0",
      deleted: false,
      containers: [],
      labels: {},
    });
    expect(decoded({ metadata: { name: "web-0", labels: null }, spec: null, status: null })).toEqual(
      decoded({ metadata: { name: "web-0" } }),
    );
  });

  it("B19: a deletion timestamp is a pod on its way out", () => {
    expect(decoded(pod({}, {}, { deletionTimestamp: "2026-03-01T08:00:00Z" })).deleted).toBe(true);
    expect(decoded(pod({}, {}, { deletionTimestamp: null })).deleted).toBe(false);
  });

  it("B23, D-13: native sidecars stand after the containers, one-shot init containers do not count", () => {
    const spec = {
      initContainers: [
        container("migrate", { cpu: "4" }),
        container("proxy", { cpu: "100m" }, { restartPolicy: "Always" }),
      ],
      containers: [container("app", { cpu: "100m" })],
    };
    expect(decoded(pod(spec)).containers).toEqual([
      { name: "app", requests: { cpu: 100 } },
      { name: "proxy", requests: { cpu: 100 } },
    ]);
  });

  it("D-13: pod-level requests are apart, and absent where there are none", () => {
    const containers = [container("app", { cpu: "100m" })];
    const whole = { containers, resources: { requests: { cpu: "1" } } };
    expect(decoded(pod(whole))).toMatchObject({ podRequests: { cpu: 1000 } });
    for (const resources of [undefined, {}, { limits: { cpu: "1" } }, { requests: {} }]) {
      expect(decoded(pod({ containers, resources }))).not.toHaveProperty("podRequests");
    }
  });

  it("a condition that never moved is older than everything", () => {
    const conditions = [{ type: "Ready", status: "False", lastTransitionTime: null }];
    expect(decoded(pod({}, { conditions })).ready?.sinceMs).toBe(Date.parse("0001-01-01T00:00:00Z"));
  });

  it("requests that are numbers are quantities too", () => {
    expect(decoded(pod({ containers: [container("app", { cpu: 2 })] })).containers[0]?.requests).toEqual({
      cpu: 2000,
    });
  });

  it("amounts beyond 2^53 thousandths stay exact", () => {
    const { containers } = decoded(pod({ containers: [container("app", { memory: "9007199254740993" })] }));
    expect(containers[0]?.requests.memory).toBe(9_007_199_254_740_993_000n);
  });
});

describe("a pod that is not as the API promises", () => {
  it.each<[string, unknown, string]>([
    ["no name", pod({}, {}, { name: "" }), 'metadata.name: found "" where a text should be'],
    ["a name that is no text", pod({}, {}, { name: 7 }), "metadata.name: found 7 where a text should be"],
    ["no object at all", "pod", 'pod: found "pod" where an object should be'],
    [
      "a quantity that is none",
      pod({ containers: [container("app", { cpu: "much" })] }),
      'spec.containers[].resources.requests.cpu: found "much" where a quantity such as 250m should be',
    ],
    [
      "containers that are no list",
      pod({ containers: {} }),
      "spec.containers: found {} where a list should be",
    ],
    [
      "an instant that is none",
      pod({}, { startTime: "noon" }),
      'status.startTime: found "noon" where an RFC 3339 instant should be',
    ],
    [
      "a label that is no text",
      pod({}, {}, { labels: { app: 1 } }),
      "metadata.labels[app]: found 1 where a text should be",
    ],
    [
      "requests that are no object",
      pod({ resources: { requests: ["cpu"] } }),
      'spec.resources.requests: found ["cpu"] where an object should be',
    ],
  ])("%s", (_, item, expected) => {
    expect(message(item)).toContain(expected);
  });

  it("makes its list unreadable: to leave it out would make the workload look smaller", () => {
    expect(decodePods([pod(), pod({ containers: "none" }, {}, { name: "web-1" }), pod()])).toEqual({
      ok: false,
      fault: {
        code: "pods-unreadable",
        message: 'pod web-1 cannot be read: spec.containers: found "none" where a list should be',
      },
    });
  });

  it("is counted where it has no name", () => {
    expect(decodePods([pod(), {}])).toMatchObject({
      fault: { message: expect.stringContaining("pod no. 2 cannot be read") },
    });
  });
});
