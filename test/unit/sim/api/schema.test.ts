import { describe, expect, it } from "vitest";
import { list, object as struct } from "#sim/api/kinds/schema-terms";
import type { Definitions, Schema } from "#sim/api/schema";
import { check } from "#sim/api/schema-check";
import { prune } from "#sim/api/schema-prune";
import { AT, federatedHpa, hub, karmadaType, object, refusal, value } from "./fixture.ts";

const NONE: Definitions = new Map();

describe("what the schema of a custom kind refuses, in the words of kube-openapi", () => {
  it.each([
    ["a missing field", struct({ "a!": { type: "string" } }), {}, "a", "Required value"],
    [
      "another type",
      struct({ a: { type: "integer" } }),
      { a: "1" },
      "a",
      'Invalid value: "string": a in body must be of type integer: "string"',
    ],
    [
      "a fraction for an integer",
      struct({ a: { type: "integer" } }),
      { a: 1.5 },
      "a",
      'Invalid value: "number": a in body must be of type integer: "number"',
    ],
    [
      "B107: null where null is not allowed",
      struct({ a: list({ type: "string" }) }),
      { a: null },
      "a",
      'Invalid value: "null": a in body must be of type array: "null"',
    ],
    [
      "a value outside an enum",
      struct({ a: { type: "string", enum: ["Abort", "Overwrite"] } }),
      { a: "Maybe" },
      "a",
      'Unsupported value: "Maybe": supported values: "Abort", "Overwrite"',
    ],
    [
      "too little",
      struct({ a: { type: "integer", minimum: 1 } }),
      { a: 0 },
      "a",
      "Invalid value: 0: a in body should be greater than or equal to 1",
    ],
    [
      "too much",
      struct({ a: { type: "integer", maximum: 3 } }),
      { a: 4 },
      "a",
      "Invalid value: 4: a in body should be less than or equal to 3",
    ],
    [
      "too long a text",
      struct({ a: { type: "string", maxLength: 2 } }),
      { a: "abc" },
      "a",
      "Too long: may not be more than 2 bytes",
    ],
    [
      "too short a text",
      struct({ a: { type: "string", minLength: 1 } }),
      { a: "" },
      "a",
      'Invalid value: "": a in body should be at least 1 chars long',
    ],
    [
      "a text of another form",
      struct({ a: { type: "string", pattern: "^x$" } }),
      { a: "y" },
      "a",
      "Invalid value: \"y\": a in body should match '^x$'",
    ],
    [
      "too few items",
      struct({ a: { ...list({}), minItems: 1 } }),
      { a: [] },
      "a",
      "Invalid value: 0: a in body should have at least 1 items",
    ],
    [
      "too many items",
      struct({ a: { ...list({}), maxItems: 1 } }),
      { a: [1, 2] },
      "a",
      "Too many: 2: must have at most 1 items",
    ],
    [
      "the same key twice",
      struct({ a: { ...list({}), "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] } }),
      { a: [{ type: "A" }, { type: "A" }] },
      "a[1]",
      'Duplicate value: {"type":"A"}',
    ],
    [
      "more than an int32",
      struct({ a: { type: "integer", format: "int32" } }),
      { a: 2 ** 31 },
      "a",
      "Invalid value: 2147483648: a in body must be of type int32",
    ],
  ] as const)("%s", (_what, schema, body, field, message) => {
    expect(check(body, schema, NONE)).toEqual([expect.objectContaining({ field, message })]);
  });

  it("takes integers and texts where both are allowed, and nothing else", () => {
    const schema: Schema = { "x-kubernetes-int-or-string": true };
    expect([1, "25%"].flatMap((port) => check(port, schema, NONE))).toEqual([]);
    expect([1.5, true, {}, null].map((port) => check(port, schema, NONE).length)).toEqual([1, 1, 1, 1]);
  });
});

describe("pruning", () => {
  const schema = struct({
    spec: struct({
      known: { type: "string" },
      rules: list(struct({ name: { type: "string" }, limit: { type: "integer", default: 3 } })),
    }),
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  });

  it("drops and names unknown fields, and fills in defaults", () => {
    const body = { spec: { known: "a", foo: 1, rules: [{ name: "r", bar: 2 }] }, free: { any: 1 } };
    expect(prune(body, schema, NONE)).toEqual({
      value: { spec: { known: "a", rules: [{ name: "r", limit: 3 }] }, free: { any: 1 } },
      unknown: ["spec.foo", "spec.rules[0].bar"],
    });
  });

  it("gives back the same value when there is nothing to do", () => {
    const body = { spec: { known: "a", rules: [{ name: "r", limit: 1 }] } };
    expect(prune(body, schema, NONE).value).toBe(body);
  });

  it("reads null as absent where a default stands", () => {
    expect(prune({ spec: { rules: [{ limit: null }] } }, schema, NONE).value).toEqual({
      spec: { rules: [{ limit: 3 }] },
    });
    expect(prune({ spec: { known: null } }, schema, NONE).value).toEqual({ spec: { known: null } });
  });
});

describe("the schemas of Karmada's autoscaling kinds", () => {
  it.each([
    ["no target", { scaleTargetRef: undefined }, ["spec.scaleTargetRef"]],
    ["no maximum", { maxReplicas: undefined }, ["spec.maxReplicas"]],
    ["a target without name", { scaleTargetRef: { kind: "Deployment" } }, ["spec.scaleTargetRef.name"]],
    [
      "a metric without type",
      { metrics: [{ resource: { name: "cpu", target: { type: "Utilization" } } }] },
      ["spec.metrics[0].type"],
    ],
    [
      "a metric without target",
      { metrics: [{ type: "Resource", resource: { name: "cpu" } }] },
      ["spec.metrics[0].resource.target"],
    ],
    [
      "a quantity that is none",
      {
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "AverageValue", averageValue: "1x" } },
          },
        ],
      },
      ["spec.metrics[0].resource.target.averageValue"],
    ],
    [
      "a policy without period",
      { behavior: { scaleUp: { policies: [{ type: "Pods", value: 1 }] } } },
      ["spec.behavior.scaleUp.policies[0].periodSeconds"],
    ],
    ["replicas as text", { minReplicas: "1" }, ["spec.minReplicas"]],
  ])("a FederatedHPA with %s is 422", (_what, spec, fields) => {
    const api = hub();
    const fhpas = karmadaType(api, "autoscaling.karmada.io/v1alpha1", "federatedhpas");
    const status = refusal(api.create(fhpas, federatedHpa("web", spec), AT));
    expect(status.code).toBe(422);
    expect(status.details?.causes?.map(({ field }) => field)).toEqual(fields);
  });

  it.each([
    ["no rules", { rules: undefined }, ["spec.rules"]],
    ["a rule without schedule", { rules: [{ name: "a" }] }, ["spec.rules[0].schedule"]],
    [
      "a rule with a long name",
      { rules: [{ name: "a".repeat(33), schedule: "* * * * *" }] },
      ["spec.rules[0].name"],
    ],
    [
      "no successful history",
      { rules: [{ name: "a", schedule: "* * * * *", successfulHistoryLimit: 0 }] },
      ["spec.rules[0].successfulHistoryLimit"],
    ],
    [
      "too much failed history",
      { rules: [{ name: "a", schedule: "* * * * *", failedHistoryLimit: 33 }] },
      ["spec.rules[0].failedHistoryLimit"],
    ],
  ])("a CronFederatedHPA with %s is 422", (_what, spec, fields) => {
    const api = hub();
    const crons = karmadaType(api, "autoscaling.karmada.io/v1alpha1", "cronfederatedhpas");
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const body = object({ metadata: { name: "c", namespace: "default" }, spec: { scaleTargetRef, ...spec } });
    const status = refusal(api.create(crons, body, AT));
    expect(status.details?.causes?.map(({ field }) => field)).toEqual(fields);
  });

  it("fills in the defaults of a rule", () => {
    const api = hub();
    const crons = karmadaType(api, "autoscaling.karmada.io/v1alpha1", "cronfederatedhpas");
    const spec = {
      scaleTargetRef: { kind: "Deployment", name: "web" },
      rules: [{ name: "a", schedule: "* * * * *" }],
    };
    const made = value(
      api.create(crons, object({ metadata: { name: "c", namespace: "default" }, spec }), AT),
    );
    expect(made.spec?.rules).toEqual([
      { name: "a", schedule: "* * * * *", suspend: false, successfulHistoryLimit: 3, failedHistoryLimit: 3 },
    ]);
  });

  it("B107: a status with `currentMetrics: null` is refused whole", () => {
    const api = hub();
    const fhpas = karmadaType(api, "autoscaling.karmada.io/v1alpha1", "federatedhpas");
    const made = value(api.create(fhpas, federatedHpa("web"), AT));
    const status = { desiredReplicas: 1, currentMetrics: null };
    expect(
      refusal(api.update(fhpas, { ...made, status }, { ...AT, subresource: "status" })).message,
    ).toContain('status.currentMetrics in body must be of type array: "null"');
  });
});
