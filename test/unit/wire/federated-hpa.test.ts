import { describe, expect, it } from "vitest";
import { cpu, federatedHpa, ingress, queue, rules } from "#test/unit/spec/federated-hpa-objects";
import { decodeFederatedHpa } from "#wire/federated-hpa";

type Json = Record<string, unknown>;

const decode = (spec: Json, metadata: Json = {}) => decodeFederatedHpa(federatedHpa(spec, metadata));
const faults = (spec: Json, metadata: Json = {}) =>
  decode(spec, metadata).invalid.map(({ code, path }) => `${code} ${path}`);

describe("a FederatedHPA of the API", () => {
  it("comes defaulted, with parsed quantities", () => {
    const raw = federatedHpa(
      {
        minReplicas: undefined,
        metrics: [
          cpu({ type: "AverageValue", averageValue: "250m" }),
          {
            type: "ContainerResource",
            containerResource: {
              name: "memory",
              container: "app",
              target: { type: "AverageValue", averageValue: "1Gi" },
            },
          },
          {
            type: "Pods",
            pods: {
              metric: { name: "rps", selector: { matchLabels: { verb: "GET" } } },
              target: { type: "AverageValue", averageValue: "2k" },
            },
          },
          ingress({ type: "Value", value: "10" }),
          queue({ type: "AverageValue", averageValue: "30" }),
        ],
        behavior: { scaleUp: rules({ selectPolicy: "Min", tolerance: "0.05" }) },
      },
      { uid: "u1", generation: 7, resourceVersion: "42", annotations: { "mainsheet.io/mode": "observe" } },
    );
    expect(decodeFederatedHpa(raw)).toEqual({
      namespace: "shop",
      name: "web",
      uid: "u1",
      generation: 7,
      resourceVersion: "42",
      annotations: { "mainsheet.io/mode": "observe" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [
          { type: "Resource", name: "cpu", target: { type: "AverageValue", averageValue: 250 } },
          {
            type: "ContainerResource",
            name: "memory",
            container: "app",
            target: { type: "AverageValue", averageValue: 1_073_741_824_000 },
          },
          {
            type: "Pods",
            name: "rps",
            selector: "verb=GET",
            target: { type: "AverageValue", averageValue: 2_000_000 },
          },
          {
            type: "Object",
            name: "hits",
            selector: "",
            describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "front" },
            target: { type: "Value", value: 10_000 },
          },
          {
            type: "External",
            name: "queue",
            selector: "",
            target: { type: "AverageValue", averageValue: 30_000 },
          },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: "Min",
            policies: [{ type: "Pods", value: 1, periodSeconds: 60 }],
            tolerance: 0.05,
          },
          scaleDown: { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
        },
      },
      status: { currentReplicas: 0, desiredReplicas: 0, conditions: [], currentMetrics: [] },
      invalid: [],
    });
  });

  it.each([
    [
      "B30: only windows",
      { scaleUp: { stabilizationWindowSeconds: 10 }, scaleDown: { stabilizationWindowSeconds: 10 } },
    ],
    ["an empty behavior", {}],
  ])("a behavior without policies is filled: %s", (_, behavior) => {
    const { spec, invalid } = decode({ behavior });
    expect(invalid).toEqual([]);
    expect(spec.behavior?.scaleUp.policies).toHaveLength(2);
    expect(spec.behavior?.scaleDown.policies).toHaveLength(1);
  });

  it.each([
    ["Value", { value: 5_000 }],
    ["AverageValue", { averageValue: 7_000 }],
    ["Utilization", {}],
  ])("of an Object target only the field of its type counts: %s", (type, field) => {
    const [metric] = decode({ metrics: [ingress({ type, value: "5", averageValue: "7" })] }).spec.metrics;
    expect(metric?.target).toEqual({ type, ...field });
  });
});

describe("a spec that must not be acted on (D-16)", () => {
  it.each<[string, Json, string[]]>([
    ["B40, C09: min above max", { minReplicas: 15 }, ["FieldValueInvalid spec.maxReplicas"]],
    [
      "B16: type AverageValue with only a value",
      { metrics: [ingress({ type: "AverageValue", value: "5" })] },
      ["FieldValueRequired spec.metrics[0].object.target.averageValue"],
    ],
    [
      "… and the other way round",
      { metrics: [ingress({ type: "Value", averageValue: "5" })] },
      ["FieldValueRequired spec.metrics[0].object.target.value"],
    ],
    [
      "an Object without any target",
      { metrics: [ingress({ type: "Value" })] },
      ["FieldValueRequired spec.metrics[0].object.target.averageValue"],
    ],
    [
      "a negative tolerance",
      { behavior: { scaleDown: rules({ tolerance: "-0.1" }) } },
      ["FieldValueInvalid spec.behavior.scaleDown.tolerance"],
    ],
    [
      "a metric's selector that cannot be read",
      {
        metrics: [
          queue(
            { type: "Value", value: "1" },
            { name: "q", selector: { matchExpressions: [{ key: "a", operator: "Is" }] } },
          ),
        ],
      },
      ["FieldValueInvalid spec.metrics[0].external.metric.selector.matchExpressions[0].operator"],
    ],
    [
      "an External with two targets",
      { metrics: [queue({ type: "Value", value: "1", averageValue: "1" })] },
      ["FieldValueForbidden spec.metrics[0].external.target.value"],
    ],
    [
      "an External without a target",
      { metrics: [queue({ type: "Value" })] },
      ["FieldValueRequired spec.metrics[0].external.target.averageValue"],
    ],
    [
      "a wrong type, and nothing said of what follows from it",
      { maxReplicas: "9", minReplicas: -1 },
      ["FieldValueTypeInvalid spec.maxReplicas"],
    ],
    [
      "no object reference",
      { scaleTargetRef: { kind: "Deployment" } },
      ["FieldValueRequired spec.scaleTargetRef.name"],
    ],
  ])("%s", (_, spec, expected) => {
    expect(faults(spec)).toEqual(expected);
  });

  it.each<[string, Json]>([
    ["scaling to zero (D-17)", { minReplicas: 0 }],
    ["External (D-17)", { metrics: [queue({ type: "Value", value: "1" })] }],
    ["a metric of unknown type, which fails alone", { metrics: [cpu(), { type: "Bogus" }] }],
    ["a resource without a target, which fails alone", { metrics: [cpu({ type: "Utilization" })] }],
  ])("is not: %s", (_, spec) => {
    expect(faults(spec)).toEqual([]);
  });

  it("a metric of unknown type keeps its place and its type", () => {
    const { metrics } = decode({ metrics: [{ type: "Bogus" }, cpu()] }).spec;
    expect(metrics.map(({ type }) => type)).toEqual(["Bogus", "Resource"]);
  });

  it("an object without a name or namespace is nobody's", () => {
    expect(faults({}, { name: "", namespace: "" })).toEqual([
      "FieldValueRequired metadata.namespace",
      "FieldValueRequired metadata.name",
    ]);
  });

  it("an identity that is not there is empty", () => {
    expect(decode({})).toMatchObject({ uid: "", generation: 0, resourceVersion: "", invalid: [] });
  });

  it("a status that cannot be read is no fault of the spec", () => {
    const object = decodeFederatedHpa(
      federatedHpa({}, {}, { status: { conditions: "none", currentReplicas: 3 } }),
    );
    expect(object).toMatchObject({ invalid: [], status: { currentReplicas: 3, conditions: [] } });
  });
});

describe("annotations that stand for fields (D-17)", () => {
  const annotated = (annotation: string, text: string, spec: Json = {}) =>
    decode(spec, { annotations: { [`mainsheet.io/${annotation}`]: text } });

  it("min-replicas stands in for the min that the webhook filled in", () => {
    expect(annotated("min-replicas", "0").spec.minReplicas).toBe(0);
  });

  it("min-replicas above max is the same fault as in the spec", () => {
    expect(annotated("min-replicas", "11").invalid).toMatchObject([{ path: "spec.maxReplicas" }]);
  });

  it.each([
    ["0.05", 0.05, 0.05],
    ["50m", 0.05, 0.05],
    ["scaleUp=0.3", 0.3, undefined],
    ["scaleDown=0.2, scaleUp=0", 0, 0.2],
  ])("tolerance %s: up %d, down %d", (text, up, down) => {
    const { invalid, spec } = annotated("tolerance", text);
    expect(invalid).toEqual([]);
    expect([spec.behavior?.scaleUp.tolerance, spec.behavior?.scaleDown.tolerance]).toEqual([up, down]);
    expect(spec.behavior?.scaleUp.policies).toHaveLength(2);
  });

  it("the tolerance of the spec is not replaced", () => {
    const behavior = { scaleUp: rules({ tolerance: "0.2" }) };
    const { scaleUp, scaleDown } = annotated("tolerance", "0.05", { behavior }).spec.behavior ?? {};
    expect([scaleUp?.tolerance, scaleDown?.tolerance]).toEqual([0.2, 0.05]);
  });

  it("external-metrics are added to the spec's", () => {
    const text = JSON.stringify([
      {
        metric: { name: "queue", selector: { matchLabels: { q: "a" } } },
        target: { type: "Value", value: "30" },
      },
    ]);
    const { invalid, spec } = annotated("external-metrics", text);
    expect(invalid).toEqual([]);
    expect(spec.metrics).toEqual([
      { type: "Resource", name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
      { type: "External", name: "queue", selector: "q=a", target: { type: "Value", value: 30_000 } },
    ]);
  });

  it("external-metrics alone spare the default of cpu at 80 %", () => {
    const text = '[{"metric":{"name":"queue"},"target":{"type":"Value","value":"30"}}]';
    const { metrics } = annotated("external-metrics", text, { metrics: [] }).spec;
    expect(metrics.map(({ type }) => type)).toEqual(["External"]);
  });

  it.each([
    ["min-replicas", "-1", ""],
    ["min-replicas", "one", ""],
    ["min-replicas", "2147483648", ""],
    ["tolerance", "-0.1", ""],
    ["tolerance", "up=0.1", ""],
    ["tolerance", "scaleUp=0.1,scaleUp=0.2", ""],
    ["tolerance", "scaleUp=", ""],
    ["tolerance", "", ""],
    ["external-metrics", "queue", ""],
    ["external-metrics", "{}", ""],
    [
      "external-metrics",
      '[{"metric":{"name":"q"},"target":{"type":"Value","value":"x"}}]',
      "[0].target.value",
    ],
    ["external-metrics", '[{"target":{"type":"Value","value":"1"}}]', "[0].metric.name"],
    [
      "external-metrics",
      '[{"metric":{"name":"q","selector":{"matchLabels":{"a":"-"}}},"target":{"type":"Value","value":"1"}}]',
      "[0].metric.selector.matchLabels[a]",
    ],
  ])("%s: %j is a fault, and changes nothing", (annotation, text, path) => {
    const object = annotated(annotation, text);
    expect(object.invalid.map((fault) => fault.path)).toEqual([
      `metadata.annotations[mainsheet.io/${annotation}]${path}`,
    ]);
    expect(object.spec).toEqual(decode({}).spec);
  });
});
