import { describe, expect, it } from "vitest";
import { validateFederatedHpa } from "#domain/spec/validate-federated-hpa";
import { cpu, federatedHpa, ingress, queue, rules } from "#test/unit/spec/federated-hpa-objects";

const messages = (raw: unknown) => validateFederatedHpa(raw).faults.map(({ message }) => message);
const spec = (members: Record<string, unknown>) => messages(federatedHpa(members));
const metric = (entry: unknown) => spec({ metrics: [entry] });
const scaleUp = (members: Record<string, unknown>) => spec({ behavior: { scaleUp: members } });

describe("Karmada's validating webhook (semantics 4.3)", () => {
  it("admits a sound object", () => {
    expect(validateFederatedHpa(federatedHpa({ behavior: { scaleDown: rules() } }))).toEqual({ faults: [] });
  });

  it.each([
    [
      "V:66 min is at least 1",
      { minReplicas: 0 },
      "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1",
    ],
    [
      "V:70 max is at least 1, V:73 and not below min",
      { maxReplicas: 0 },
      "spec.maxReplicas: Invalid value: 0: must be greater than 0",
      "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
    ],
    ["V:73 without min, max stands alone", { minReplicas: undefined, maxReplicas: 1 }],
    [
      "V:92 the target's kind and name are required",
      { scaleTargetRef: {} },
      "spec.scaleTargetRef.kind: Required value",
      "spec.scaleTargetRef.name: Required value",
    ],
    [
      "V:92 and each is one segment of a path",
      { scaleTargetRef: { kind: "a/b%", name: ".." } },
      `spec.scaleTargetRef.kind: Invalid value: "a/b%": may not contain '/'`,
      `spec.scaleTargetRef.kind: Invalid value: "a/b%": may not contain '%'`,
      `spec.scaleTargetRef.name: Invalid value: "..": may not be '..'`,
    ],
    ["no metrics are admitted: the defaults have filled them in before", { metrics: [] }],
  ])("%s", (_, members, ...expected) => {
    expect(spec(members as Record<string, unknown>)).toEqual(expected);
  });

  it("V:140 status counts are not negative", () => {
    const status = { currentReplicas: -1, desiredReplicas: -2 };
    expect(messages(federatedHpa({}, {}, { status }))).toEqual([
      "status.currentReplicas: Invalid value: -1: must be greater than or equal to 0",
      "status.desiredReplicas: Invalid value: -2: must be greater than or equal to 0",
    ]);
  });
});

describe("metrics in Karmada's webhook", () => {
  const TYPES = 'supported values: "ContainerResource", "Object", "Pods", "Resource"';
  it.each([
    [
      "V:219 External is no type there, and is named twice",
      queue({ type: "AverageValue", averageValue: "3" }),
      `spec.metrics[0].type: Unsupported value: "External": ${TYPES}`,
      `spec.metrics[0].type: Unsupported value: "External": ${TYPES}`,
    ],
    [
      "a type is required",
      { resource: cpu().resource },
      "spec.metrics[0].type: Required value: must specify a metric source type",
      `spec.metrics[0].type: Unsupported value: "": ${TYPES}`,
      `spec.metrics[0].type: Unsupported value: "": ${TYPES}`,
    ],
    [
      "the source has to be that of the type",
      { ...ingress({ type: "Value", value: "1" }), type: "Resource" },
      "spec.metrics[0].resource: Required value: must populate information for the given metric source",
    ],
    [
      "only one source, and of two only the first is looked into",
      { ...cpu({ type: "" }), object: { metric: {}, target: { type: "Value", value: "1" } } },
      "spec.metrics[0].object.describedObject.kind: Required value",
      "spec.metrics[0].object.describedObject.name: Required value",
      "spec.metrics[0].object.metric.name: Required value: must specify a metric name",
      "spec.metrics[0].object: Forbidden: must populate the given metric source only",
    ],
    [
      "an Object needs one of two targets, whichever its type is",
      ingress({ type: "Value" }),
      "spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue",
    ],
    [
      "… so a target of another type than its field passes (B16)",
      ingress({ type: "AverageValue", value: "5" }),
    ],
    [
      "Pods need an average value",
      { type: "Pods", pods: { metric: { name: "rps" }, target: { type: "AverageValue" } } },
      "spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue",
    ],
    [
      "a resource has a name, and one target …",
      { type: "Resource", resource: { target: { type: "Utilization" } } },
      "spec.metrics[0].resource.name: Required value: must specify a resource name",
      "spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization",
    ],
    [
      "… not two",
      cpu({ type: "Utilization", averageUtilization: 5, averageValue: "5" }),
      "spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
    ],
    [
      "targets are positive",
      cpu({ type: "Bogus", averageUtilization: 0, value: "-1m", averageValue: 0 }),
      'spec.metrics[0].resource.target.type: Invalid value: "Bogus": must be either Utilization, Value, or AverageValue',
      'spec.metrics[0].resource.target.value: Invalid value: "-1m": must be positive',
      'spec.metrics[0].resource.target.averageValue: Invalid value: "0": must be positive',
      "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
      "spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
    ],
  ])("%s", (_, entry, ...expected) => {
    expect(metric(entry)).toEqual(expected);
  });

  const container = (name: string, of = "app") => ({
    type: "ContainerResource",
    containerResource: { name, container: of, target: { type: "Utilization", averageUtilization: 1 } },
  });
  it.each([
    ["cpu", []],
    ["hugepages-2Mi", []],
    ["nvidia.com/gpu", []],
    ["foo.kubernetes.io/bar", []],
    ["pods", ["must be a standard resource for containers"]],
    [
      "gpu",
      ["must be a standard resource type or fully qualified", "must be a standard resource for containers"],
    ],
    ["requests.nvidia.com/gpu", ["doesn't follow extended resource name standard"]],
  ])("a container can ask for %s: %j", (name, faults) => {
    expect(metric(container(name))).toEqual(
      faults.map((fault) => `spec.metrics[0].containerResource.name: Invalid value: "${name}": ${fault}`),
    );
  });

  it.each([
    ["app.1", "must not contain dots"],
    ["a".repeat(64), "must be no more than 63 characters"],
  ])("a container is called by a DNS label, not %s", (name, fault) => {
    expect(metric(container("cpu", name))).toEqual([
      `spec.metrics[0].containerResource.container: Invalid value: "${name}": ${fault}`,
    ]);
  });
});

describe("behavior in Karmada's webhook (V:33-38, 163-213)", () => {
  const path = "spec.behavior.scaleUp";
  it.each([
    ["the window may be 0 …", rules({ stabilizationWindowSeconds: 0 })],
    ["… and 3600", rules({ stabilizationWindowSeconds: 3600 })],
    [
      "but not 3601",
      rules({ stabilizationWindowSeconds: 3601 }),
      `${path}.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600`,
    ],
    [
      "nor −1",
      rules({ stabilizationWindowSeconds: -1 }),
      `${path}.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero`,
    ],
    [
      "selectPolicy is one of three",
      rules({ selectPolicy: "" }),
      `${path}.selectPolicy: Unsupported value: "": supported values: "Disabled", "Max", "Min"`,
    ],
    [
      "policies are not empty",
      rules({ policies: [] }),
      `${path}.policies: Required value: must specify at least one Policy`,
    ],
    [
      "a policy has a type, a value and a period",
      { policies: [{}] },
      `${path}.policies[0].type: Unsupported value: "": supported values: "Percent", "Pods"`,
      `${path}.policies[0].value: Invalid value: 0: must be greater than zero`,
      `${path}.policies[0].periodSeconds: Invalid value: 0: must be greater than zero`,
    ],
    [
      "a period ends at 1800",
      { policies: [{ type: "Percent", value: 1, periodSeconds: 1801 }] },
      `${path}.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800`,
    ],
    ["the tolerance is not looked at", rules({ tolerance: "-1" })],
  ])("%s", (_, members, ...expected) => {
    expect(scaleUp(members as Record<string, unknown>)).toEqual(expected);
  });
});

describe("what Go cannot decode", () => {
  it.each([
    [
      { minReplicas: "2" },
      "json: cannot unmarshal string into Go struct field FederatedHPASpec.spec.minReplicas of type int32",
    ],
    [
      { maxReplicas: 1.5 },
      "json: cannot unmarshal number 1.5 into Go struct field FederatedHPASpec.spec.maxReplicas of type int32",
    ],
    [
      { maxReplicas: 2 ** 31 },
      "json: cannot unmarshal number 2147483648 into Go struct field FederatedHPASpec.spec.maxReplicas of type int32",
    ],
    [
      { metrics: {} },
      "json: cannot unmarshal object into Go struct field FederatedHPASpec.spec.metrics of type []v2.MetricSpec",
    ],
    [
      { metrics: [true] },
      "json: cannot unmarshal bool into Go struct field FederatedHPASpec.spec.metrics of type MetricSpec",
    ],
    [
      { behavior: [] },
      "json: cannot unmarshal array into Go struct field FederatedHPASpec.spec.behavior of type HorizontalPodAutoscalerBehavior",
    ],
  ])("%j", (members, decodeError) => {
    expect(validateFederatedHpa(federatedHpa(members)).decodeError).toBe(decodeError);
  });

  it("names every field that does not fit, and looks no further", () => {
    const raw = federatedHpa(
      { minReplicas: -1, metrics: [cpu({ type: "AverageValue", averageValue: "1 Gi" })] },
      { labels: { a: 1 }, creationTimestamp: "yesterday" },
    );
    const { faults } = validateFederatedHpa(raw);
    expect(faults.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "FieldValueTypeInvalid metadata.creationTimestamp",
      "FieldValueTypeInvalid metadata.labels",
      "FieldValueTypeInvalid spec.metrics[0].resource.target.averageValue",
    ]);
  });

  it.each([[1], ["text"], [[]], [true]])("%j is no object", (raw) => {
    expect(validateFederatedHpa(raw).decodeError).toMatch(/^json: cannot unmarshal .* of type FederatedHPA$/);
  });

  it("null members are missing ones, and numbers are quantities", () => {
    const target = { type: "AverageValue", averageValue: 1.5, value: null, averageUtilization: null };
    expect(metric(cpu(target))).toEqual([]);
  });
});
