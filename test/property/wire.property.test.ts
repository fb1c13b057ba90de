import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultFederatedHpa } from "#domain/spec/default-federated-hpa";
import type { Condition, FederatedHpaStatus, MetricStatus } from "#domain/spec/federated-hpa";
import { validateCronFederatedHpa } from "#domain/spec/validate-cron-federated-hpa";
import { validateFederatedHpa } from "#domain/spec/validate-federated-hpa";
import { cpu, federatedHpa, ingress, queue, rules } from "#test/unit/spec/federated-hpa-objects";
import { decodeFederatedHpa, statusPatch } from "#wire/federated-hpa";
import { encodeStatus } from "#wire/federated-hpa-status";
import { decodeJson, encodeJson } from "#wire/json";
import { bindsTarget, decodeBinding, decodeReportedReplicas } from "#wire/kubernetes/binding";
import { decodeCluster } from "#wire/kubernetes/cluster";
import { decodePods } from "#wire/kubernetes/pod";
import { decodeMemberScale, decodeScalePaths, decodeTarget } from "#wire/kubernetes/workload";

/** Plain data with bigints, and with keys that look like the mark. */
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.bigInt(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("$milli", "$$milli", "__proto__")), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

describe("JSON with stable bytes", () => {
  it("what is encoded comes back, and encodes to the same bytes", () => {
    fc.assert(
      fc.property(data, (value) => {
        const encoded = encodeJson(value);
        if (!encoded.ok) throw new Error(encoded.fault.detail);
        const decoded = decodeJson(encoded.value);
        expect(decoded).toEqual({ ok: true, value });
        expect(decoded.ok && encodeJson(decoded.value)).toEqual(encoded);
      }),
      { numRuns: 1000 },
    );
  });

  it("other JSON comes back as JSON.parse reads it, unless it has the mark", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes("milli"));
        expect(decodeJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });
});

const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000);
const milli = fc.oneof(fc.integer({ min: 0 }), fc.bigInt(2n ** 53n, 2n ** 80n));
const current = fc.record(
  { averageUtilization: fc.nat(), averageValue: milli, value: milli },
  { requiredKeys: [] },
);
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
const selector = fc.constantFrom("a=b", "a=b,c=d", "a in (b,c)", "a notin (b),!c,d", "x");
const reference = fc.record({ apiVersion: fc.constantFrom("v1", "apps/v1"), kind: name, name });
const metric: fc.Arbitrary<MetricStatus> = fc.oneof(
  fc.record({ type: fc.constant("Resource" as const), name, current }),
  fc.record({ type: fc.constant("ContainerResource" as const), name, container: name, current }),
  fc.record(
    { type: fc.constantFrom("Pods" as const, "External" as const), name, selector, current },
    { requiredKeys: ["type", "name", "current"] },
  ),
  fc.record(
    { type: fc.constant("Object" as const), name, selector, describedObject: reference, current },
    { requiredKeys: ["type", "name", "describedObject", "current"] },
  ),
);
const condition: fc.Arbitrary<Condition> = fc.record({
  type: fc.constantFrom("AbleToScale", "ScalingActive", "ScalingLimited"),
  status: fc.constantFrom("True", "False", "Unknown"),
  reason: name,
  message: fc.string(),
  lastTransitionMs: second,
});
const status: fc.Arbitrary<FederatedHpaStatus> = fc.record(
  {
    currentReplicas: fc.nat(),
    desiredReplicas: fc.nat(),
    lastScaleAtMs: second,
    observedGeneration: fc.nat(),
    conditions: fc.array(condition, { maxLength: 3 }),
    currentMetrics: fc.array(metric, { maxLength: 4 }),
  },
  { requiredKeys: ["currentReplicas", "desiredReplicas", "conditions", "currentMetrics"] },
);

const stored = (json: unknown) => decodeFederatedHpa(federatedHpa({}, {}, { status: json })).status;

describe("statuses", () => {
  it("survive the API", () => {
    fc.assert(
      fc.property(status, (value) => {
        expect(stored(encodeStatus(value))).toEqual(value);
      }),
    );
  });

  it("a patch turns one into the other, and there is none between equals", () => {
    fc.assert(
      fc.property(status, status, (before, after) => {
        const patch = statusPatch(before, after);
        const merged: Record<string, unknown> = { ...encodeStatus(before), ...patch?.status };
        for (const [member, value] of Object.entries(merged)) if (value === null) delete merged[member];
        expect(merged).toEqual(encodeStatus(after));
        expect(statusPatch(after, after)).toBeUndefined();
      }),
    );
  });
});

/** A sound object in which some part, anywhere, was replaced by something else. */
function damaged(sound: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(sound);
  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(undefined, -1, 1.5, 2 ** 31, "", "x/y", "1Gi", {}, []),
  );
  return fc
    .array(fc.tuple(fc.constantFrom(...paths), junk), { minLength: 1, maxLength: 3 })
    .map((changes) => {
      let copy: unknown = structuredClone(sound);
      for (const [path, value] of changes) copy = withPart(copy, path, value);
      return copy;
    });
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

function withPart(value: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part;
  if (typeof value !== "object" || value === null) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  (copy as Record<string, unknown>)[key] = withPart((copy as Record<string, unknown>)[key], rest, part);
  return copy;
}

const HPA = federatedHpa(
  {
    metrics: [
      cpu(),
      ingress({ type: "Value", value: "1" }),
      queue(
        { type: "AverageValue", averageValue: "1" },
        { name: "q", selector: { matchLabels: { a: "b" } } },
      ),
    ],
    behavior: { scaleUp: rules({ tolerance: "0.1" }), scaleDown: rules() },
  },
  {
    annotations: {
      "mainsheet.io/external-metrics": '[{"metric":{"name":"q"},"target":{"type":"Value","value":"1"}}]',
      "mainsheet.io/tolerance": "0.1",
    },
    ownerReferences: [{ apiVersion: "v1", kind: "A", name: "a", uid: "u" }],
    managedFields: [{ manager: "m", operation: "Apply" }],
  },
  { status: { conditions: [{ type: "A", status: "True" }], currentMetrics: [{ type: "Resource" }] } },
);
const CRON = {
  metadata: { name: "night", namespace: "shop" },
  spec: {
    scaleTargetRef: { kind: "Deployment", name: "web" },
    rules: [{ name: "a", schedule: "0 9 * * *", targetReplicas: 1, timeZone: "UTC" }],
  },
};
const POD = {
  metadata: { name: "p", labels: { a: "b" }, ownerReferences: [{ kind: "A", name: "a", controller: true }] },
  spec: {
    containers: [{ name: "a", resources: { requests: { cpu: "1" } } }],
    initContainers: [{ name: "b", restartPolicy: "Always" }],
    resources: { requests: { cpu: "1" } },
  },
  status: {
    phase: "Running",
    startTime: "2026-03-01T08:00:00Z",
    conditions: [{ type: "Ready", status: "True" }],
  },
};
const BINDING = {
  metadata: { name: "b", generation: 1 },
  spec: {
    replicas: 1,
    clusters: [{ name: "m", replicas: 1 }],
    resource: { kind: "A", name: "a" },
    placement: { replicaScheduling: {} },
  },
  status: {
    schedulerObservedGeneration: 1,
    conditions: [{ type: "Scheduled", status: "True" }],
    aggregatedStatus: [{ clusterName: "m", status: { replicas: 1 } }],
  },
};
const WORKLOAD = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", uid: "u", generation: 1 },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "In", values: ["d"] }] },
  },
  status: { replicas: 1, selector: "a=b", conditions: [{ type: "Ready", status: "False" }] },
};
const CRD = {
  spec: { versions: [{ name: "v1", subresources: { scale: { specReplicasPath: ".spec.a" } } }] },
};

describe("hostile input never throws", () => {
  it.each<[string, unknown, (raw: unknown) => unknown]>([
    ["decodeFederatedHpa", HPA, (raw) => encodeStatus(decodeFederatedHpa(raw).status)],
    ["validateFederatedHpa", HPA, validateFederatedHpa],
    ["defaultFederatedHpa", HPA, defaultFederatedHpa],
    ["validateCronFederatedHpa", CRON, validateCronFederatedHpa],
    ["decodePods", [POD], (raw) => decodePods([raw, ...(Array.isArray(raw) ? raw : [])])],
    ["decodeBinding", BINDING, decodeBinding],
    ["decodeReportedReplicas", BINDING, decodeReportedReplicas],
    ["bindsTarget", BINDING, (raw) => bindsTarget(raw, raw, "shop")],
    ["decodeCluster", WORKLOAD, decodeCluster],
    ["decodeTarget", WORKLOAD, (raw) => decodeTarget(raw)],
    ["decodeMemberScale", WORKLOAD, (raw) => decodeMemberScale(raw)],
    ["decodeScalePaths", CRD, (raw) => decodeScalePaths(raw, "v1")],
  ])("%s", (_, sound, read) => {
    fc.assert(
      fc.property(fc.oneof(damaged(sound), fc.jsonValue()), (raw) => {
        read(raw);
      }),
      { numRuns: 500 },
    );
  });

  it("a FederatedHPA with faults is never without a sentence", () => {
    fc.assert(
      fc.property(damaged(HPA), (raw) => {
        for (const { path, detail, code } of decodeFederatedHpa(raw).invalid) {
          expect(code).toMatch(/^FieldValue/);
          if (path !== "" && code !== "FieldValueRequired") expect(detail).not.toBe("");
        }
      }),
    );
  });
});
