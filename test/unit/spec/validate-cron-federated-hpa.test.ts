import { describe, expect, it } from "vitest";
import { validateCronFederatedHpa } from "#domain/spec/validate-cron-federated-hpa";

type Json = Readonly<Record<string, unknown>>;

const DEPLOYMENT = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const FEDERATED_HPA = { apiVersion: "autoscaling.karmada.io/v1alpha1", kind: "FederatedHPA", name: "web" };

function cron(scaleTargetRef: Json, ...rules: readonly Json[]): Json {
  return {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "CronFederatedHPA",
    metadata: { name: "night", namespace: "shop" },
    spec: {
      scaleTargetRef,
      rules: rules.map((rule, index) => ({ name: `rule-${index}`, schedule: "0 9 * * *", ...rule })),
    },
  };
}

const messages = (raw: unknown) => validateCronFederatedHpa(raw).faults.map(({ message }) => message);
const deployment = (...rules: Json[]) => messages(cron(DEPLOYMENT, ...rules));
const bounds = (...rules: Json[]) => messages(cron(FEDERATED_HPA, ...rules));

describe("Karmada's webhook for CronFederatedHPA (semantics 4.3, CW)", () => {
  it("no rules are legal", () => {
    expect(messages(cron(DEPLOYMENT))).toEqual([]);
  });

  it("CW:74 a Karmada target of another kind ends the search", () => {
    const raw = cron({ ...FEDERATED_HPA, kind: "FederatedHpa", name: "" }, { schedule: "never" });
    expect(messages(raw)).toEqual([
      'spec.scaleTargetRef.kind: Invalid value: "FederatedHpa": invalid scaleTargetRef kind: FederatedHpa, only support FederatedHPA',
    ]);
  });

  it("CW:98 a name twice is a fault of the second", () => {
    expect(deployment({ name: "a", targetReplicas: 1 }, { name: "a", targetReplicas: 1 })).toEqual([
      'spec.rules[1].name: Duplicate value: "a"',
    ]);
  });

  it.each([
    [
      "CW:150 a workload needs replicas (B64)",
      {},
      'targetReplicas: Invalid value: "": targetReplicas cannot be nil if you want to scale Deployment',
    ],
    [
      "CW:155 … of 0 or more",
      { targetReplicas: -1 },
      'targetReplicas: Invalid value: "": targetReplicas should be larger than or equal to 0',
    ],
    ["0 is a count (B64, B65)", { targetReplicas: 0 }],
    ["min and max are not looked at", { targetReplicas: 1, targetMinReplicas: 9, targetMaxReplicas: -1 }],
  ])("%s", (_, rule, ...expected) => {
    expect(deployment(rule)).toEqual(expected.map((text) => `spec.rules[0].${text}`));
  });

  it.each([
    [
      "CW:130 a FederatedHPA needs a bound",
      {},
      'targetMaxReplicas: Invalid value: "": targetMinReplicas and targetMaxReplicas cannot be nil at the same time if you want to scale FederatedHPA',
    ],
    ["one is enough (B64)", { targetMinReplicas: 5 }],
    ["so is max alone", { targetMaxReplicas: 1 }],
    ["min may be max", { targetMinReplicas: 2, targetMaxReplicas: 2 }],
    [
      "CW:134 min is above 0",
      { targetMinReplicas: 0 },
      'targetMinReplicas: Invalid value: "": targetMinReplicas should be larger than 0',
    ],
    [
      "CW:138 so is max, which is then below the min that is not set",
      { targetMaxReplicas: 0 },
      'targetMaxReplicas: Invalid value: "": targetMaxReplicas should be larger than 0',
      'targetMinReplicas: Invalid value: "": targetMaxReplicas should be larger than or equal to targetMinReplicas',
    ],
    [
      "CW:142 min is not above max",
      { targetMinReplicas: 3, targetMaxReplicas: 2 },
      'targetMinReplicas: Invalid value: "": targetMaxReplicas should be larger than or equal to targetMinReplicas',
    ],
    ["replicas are not looked at", { targetMinReplicas: 1, targetReplicas: -1 }],
  ])("%s", (_, rule, ...expected) => {
    expect(bounds(rule)).toEqual(expected.map((text) => `spec.rules[0].${text}`));
  });

  it("D-22: the schedule is the engine's to read, whatever gronx says", () => {
    const rule = { targetReplicas: 1 };
    expect(deployment({ ...rule, schedule: "@midnight" }, { ...rule, schedule: "0 0 * * 0-7" })).toEqual([
      expect.stringMatching(/^spec\.rules\[1\]\.schedule: Invalid value: "0 0 \* \* 0-7": .*sun is 0/),
    ]);
  });

  it.each([
    ["", true],
    ["Local", true],
    ["UTC", true],
    ["America/Argentina/Buenos_Aires", true],
    ["EST", true],
    ["Asia/Beijing", false],
    ["asia/shanghai", false],
    ["ASIA/SHANGHAI", false],
    ["+08:00", false],
    ["../etc/passwd", false],
    ["/usr/share/zoneinfo/UTC", false],
    ["Asia\\Tokyo", false],
  ])("time zone %j: %s (CW:111, B71)", (timeZone, known) => {
    expect(deployment({ targetReplicas: 1, timeZone })).toEqual(
      known
        ? []
        : [expect.stringContaining(`spec.rules[0].timeZone: Invalid value: ${JSON.stringify(timeZone)}: `)],
    );
  });

  it("a wrong type is a decode error", () => {
    expect(validateCronFederatedHpa(cron(DEPLOYMENT, { suspend: "no" })).decodeError).toBe(
      "json: cannot unmarshal string into Go struct field CronFederatedHPARule.spec.rules.suspend of type bool",
    );
  });

  it("metadata is looked at too", () => {
    expect(messages({ ...cron(DEPLOYMENT), metadata: { namespace: "shop" } })).toEqual([
      "metadata.name: Required value: name or generateName is required",
    ]);
  });
});
