import { describe, expect, it } from "vitest";
import { forecastManifests } from "#app/forecast/forecast-manifests";
import { forecastLines } from "#infra/cli/next";

type Json = Readonly<Record<string, unknown>>;

const NEW_YORK = "America/New_York";
const DEPLOYMENT = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const FEDERATED_HPA = { apiVersion: "autoscaling.karmada.io/v1alpha1", kind: "FederatedHPA", name: "web" };

function cron(
  rules: readonly Json[],
  { scaleTargetRef = DEPLOYMENT as Json, name = "hours", ...rest }: Json = {},
) {
  return {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "CronFederatedHPA",
    metadata: { name },
    spec: { scaleTargetRef, rules },
    ...rest,
  };
}

const rule = (name: string, schedule: string, rest: Json = {}) => ({
  name,
  schedule,
  targetReplicas: 3,
  ...rest,
});

function found(values: readonly unknown[], from: string, count: number) {
  const manifests = values.map((value) => ({ file: "all.yaml", value }));
  return forecastManifests(manifests, { namespace: "shop", fromMs: Date.parse(from), count });
}

/** The lines under the heading, the blanks between columns made one. */
function lines(values: readonly unknown[], from: string, count: number): readonly string[] {
  const forecast = found(values, from, count);
  if (!forecast.ok) return forecast.faults;
  return forecastLines(forecast).map((line) => line.replaceAll(/ {2,}/g, " | "));
}

describe("the lines of next", () => {
  it("say when on which clock, what is set, and why not", () => {
    const low = rule("low", "30 1,2 * * *", { timeZone: NEW_YORK, targetMinReplicas: 1 });
    const high = rule("high", "30 1 * * *", {
      timeZone: NEW_YORK,
      targetMinReplicas: 2,
      targetMaxReplicas: 9,
    });
    const object = cron([low, high], { scaleTargetRef: FEDERATED_HPA });
    expect(lines([object], "2026-03-08T00:00:00Z", 3)).toEqual([
      "UTC | LOCAL | ZONE | OBJECT | RULE | SETS | NOTE",
      "2026-03-08T06:30:00Z | 2026-03-08T01:30:00-05:00 | America/New_York | shop/hours | low | min 1 | minReplicas overridden by high, which is later in the list",
      "2026-03-08T06:30:00Z | 2026-03-08T01:30:00-05:00 | America/New_York | shop/hours | high | min 2, max 9",
      "2026-03-08T07:00:00Z | 2026-03-08T02:30:00 | America/New_York | shop/hours | low | - | skipped: the clock goes from 02:00 to 03:00",
      "2026-03-09T05:30:00Z | 2026-03-09T01:30:00-04:00 | America/New_York | shop/hours | low | min 1 | minReplicas overridden by high, which is later in the list",
    ]);
  });

  it("B67, B68: many runs in one gap are one line; both of a repeated minute are told apart", () => {
    const spring = cron([rule("often", "*/5 2 * * *", { timeZone: NEW_YORK })]);
    expect(lines([spring], "2026-03-08T06:00:00Z", 1)[1]).toBe(
      "2026-03-08T07:00:00Z | 2026-03-08T02:00:00 | America/New_York | shop/hours | often | - | 12 runs up to 02:55 skipped: the clock goes from 02:00 to 03:00",
    );
    const autumn = cron([rule("night", "30 1 * * *", { timeZone: NEW_YORK })]);
    expect(lines([autumn], "2026-11-01T00:00:00Z", 2).slice(1)).toEqual([
      "2026-11-01T05:30:00Z | 2026-11-01T01:30:00-04:00 | America/New_York | shop/hours | night | replicas 3 | comes twice on this clock: first time",
      "2026-11-01T06:30:00Z | 2026-11-01T01:30:00-05:00 | America/New_York | shop/hours | night | replicas 3 | comes twice on this clock: second time",
    ]);
  });

  it("B77, D-22: name the suspended rules and those that count from --from", () => {
    const object = cron([rule("night", "0 1 * * *", { suspend: true }), rule("often", "@every 90m")]);
    expect(lines([object], "2026-03-02T10:00:30Z", 1).slice(1)).toEqual([
      "2026-03-02T11:30:30Z | 2026-03-02T11:30:30+00:00 | UTC | shop/hours | often | replicas 3",
      "shop/hours night: suspended, so it does not run",
      "shop/hours often: @every is counted from --from here, on a hub from its first sight",
    ]);
  });

  it("a prefix shows its own zone; a List stands for its items; other kinds are passed over", () => {
    const inner = cron([rule("day", "TZ=Asia/Tokyo 0 9 * * *", { timeZone: NEW_YORK })], { name: "inner" });
    const list = { apiVersion: "v1", kind: "List", items: [inner, { apiVersion: "v1", kind: "ConfigMap" }] };
    expect(lines([list], "2026-03-02T00:00:00Z", 1)[1]).toBe(
      "2026-03-03T00:00:00Z | 2026-03-03T09:00:00+09:00 | Asia/Tokyo | shop/inner | day | replicas 3",
    );
  });

  it("an object without rules has no runs", () => {
    expect(lines([cron([])], "2026-03-02T00:00:00Z", 1)).toEqual(["no rule runs in the next five years"]);
  });
});

describe("what cannot be forecast, each in a sentence", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["no CronFederatedHPA at all", { apiVersion: "v1", kind: "ConfigMap" }, []],
    [
      "B71, D-22: rules that would be refused",
      cron([rule("a", "0 8 * * 1-7"), rule("b", "0 8 * * *", { timeZone: "Asia/Beijing" })]),
      [
        'all.yaml: CronFederatedHPA shop/hours: spec.rules[0].schedule: Invalid value: "0 8 * * 1-7": "0 8 * * 1-7" has "1-7" as day of week, which is out of range; write 0-6 (sun is 0, sat 6), *, lists, ranges or steps',
        'all.yaml: CronFederatedHPA shop/hours: spec.rules[1].timeZone: Invalid value: "Asia/Beijing": "Asia/Beijing" is not a known time zone; name one such as Europe/Berlin',
      ],
    ],
    [
      "a field of another type",
      cron([rule("a", "0 8 * * *", { targetReplicas: "3" })]),
      [
        "all.yaml: CronFederatedHPA shop/hours: json: cannot unmarshal string into Go struct field CronFederatedHPARule.spec.rules.targetReplicas of type int32",
      ],
    ],
    [
      "another version of the API",
      cron([], { apiVersion: "autoscaling.karmada.io/v1" }),
      [
        'all.yaml: CronFederatedHPA shop/hours: apiVersion "autoscaling.karmada.io/v1" is not served; write autoscaling.karmada.io/v1alpha1',
      ],
    ],
  ])("%s", (_, value, faults) => {
    expect(found([value], "2026-03-02T00:00:00Z", 1)).toEqual({ ok: false, faults });
  });
});
