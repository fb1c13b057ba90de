import { concludeScale, recordScale } from "#domain/scale/conclude";
import { EMPTY_HISTORY, type History } from "#domain/scale/history";
import { limitWithBehavior, limitWithoutBehavior } from "#domain/scale/limits";
import { type Normalized, normalize } from "#domain/scale/normalize";
import type { Behavior, ScalingRules } from "#domain/spec/federated-hpa";
import { type Answers, outcome } from "#test/unit/docs/algorithm/answers";
import { cpu, decide, NOW_MS, podWith, remembered, scaleDown, scaleUp, times } from "#test/unit/scale/fleet";

const DEFAULTS: Behavior = { scaleUp: scaleUp(), scaleDown: scaleDown() };

export const windows: Answers = {
  "E-100": () => stabilized(10, 4, remembered([10, 300])),
  "E-101": () => stabilized(10, 4, remembered([10, 300.001])),
  "E-102": () => stabilized(10, 4, remembered([10, 299.999]), DEFAULTS),
  "E-103": () => stabilized(10, 4, remembered([10, 300]), DEFAULTS),
  "E-104": () => stabilized(2, 3, remembered([2, 60]), withWindows(300, 300)),
  "E-105": () => stabilized(2, 1, remembered([2, 120], [3, 60]), withWindows(300, 300)),
  "E-106": () => stabilized(17, 14, remembered([21, 400]), withWindows(300, 600)),
  "E-107": () => stabilized(10, 4, EMPTY_HISTORY),
};

function withWindows(upSeconds: number, downSeconds: number): Behavior {
  return {
    scaleUp: scaleUp({ stabilizationWindowSeconds: upSeconds }),
    scaleDown: scaleDown({ stabilizationWindowSeconds: downSeconds }),
  };
}

function stabilized(current: number, proposed: number, history: History, behavior?: Behavior): string {
  const { stabilized: count, able } = normalized(current, proposed, history, { behavior });
  return able === "ReadyForNewScale" ? `${count}` : `${count}, ${able}`;
}

const TEN_PERCENT_OR_FOUR: ScalingRules["policies"] = [
  { type: "Percent", value: 10, periodSeconds: 60 },
  { type: "Pods", value: 4, periodSeconds: 60 },
];

export const limits: Answers = {
  "E-110": () => withoutBehavior(10, 50),
  "E-111": () => withoutBehavior(1, 50),
  "E-112": () => withoutBehavior(60, 500),
  "E-113": () => withoutBehavior(5, 0),
  "E-114": () => up(10, 50, {}),
  "E-115": () => up(10, 50, { selectPolicy: "Min" }),
  "E-116": () => up(5, 9, { selectPolicy: "Disabled" }),
  "E-117": () => up(100, 500, { policies: [{ type: "Percent", value: 10, periodSeconds: 60 }] }),
  "E-118": () => down(10, 0, { policies: [{ type: "Percent", value: 90, periodSeconds: 60 }] }),
  "E-119": () => down(20, 2, { selectPolicy: "Min", policies: TEN_PERCENT_OR_FOUR }),
  "E-120": () => {
    const behavior = { scaleUp: scaleUp(), scaleDown: scaleDown({ policies: TEN_PERCENT_OR_FOUR }) };
    return trajectory(20, 2, behavior, [0, 60, 120, 180, 240]);
  },
  "E-121": () => {
    const policies: ScalingRules["policies"] = [{ type: "Pods", value: 4, periodSeconds: 15 }];
    return trajectory(4, 40, { scaleUp: scaleUp({ policies }), scaleDown: scaleDown() }, [0, 60, 170, 235]);
  },
  "E-122": () => {
    const policies: ScalingRules["policies"] = [{ type: "Pods", value: 4, periodSeconds: 60 }];
    return up(5, 50, { policies }, recordScale(EMPTY_HISTORY, 10, 5, NOW_MS - 30_000));
  },
  "E-123": () => up(5, 10, {}, recordScale(EMPTY_HISTORY, 1, 5, NOW_MS - 14_900)),
  "E-124": () => up(5, 10, {}, recordScale(EMPTY_HISTORY, 1, 5, NOW_MS - 15_000)),
};

const BOUNDS = { minReplicas: 1, maxReplicas: 100 };

function withoutBehavior(current: number, wanted: number): string {
  const { replicas, limited } = limitWithoutBehavior(current, wanted, BOUNDS);
  return limited === undefined ? `${replicas}` : `${replicas}, ${limited}`;
}

function up(current: number, wanted: number, rules: Partial<ScalingRules>, events?: History): string {
  return limited(current, wanted, { scaleUp: scaleUp(rules), scaleDown: scaleDown() }, events);
}

function down(current: number, wanted: number, rules: Partial<ScalingRules>): string {
  return limited(current, wanted, { scaleUp: scaleUp(), scaleDown: scaleDown(rules) });
}

function limited(current: number, wanted: number, rules: Behavior, events = EMPTY_HISTORY): string {
  const bounds = { ...BOUNDS, maxReplicas: 1000 };
  const { replicas, limited: reason } = limitWithBehavior(current, wanted, bounds, rules, events, NOW_MS);
  return reason === undefined ? `${replicas}` : `${replicas}, ${reason}`;
}

/** The counts at `atSeconds`, with the same proposal each time, each applied at once. */
function trajectory(
  start: number,
  proposed: number,
  behavior: Behavior,
  atSeconds: readonly number[],
): string {
  let history = remembered([proposed, 400]);
  let current = start;
  const counts = atSeconds.map((at) => {
    const result = normalized(current, proposed, history, { behavior, minReplicas: 2 }, at);
    history = recordScale(result.history, current, result.replicas, NOW_MS + at * 1000);
    current = result.replicas;
    return current;
  });
  return counts.join(", ");
}

function normalized(
  current: number,
  proposed: number,
  history: History,
  rules: { readonly behavior?: Behavior | undefined; readonly minReplicas?: number },
  atSeconds = 0,
): Normalized {
  const { behavior, minReplicas = 1 } = rules;
  const all = {
    minReplicas,
    maxReplicas: 100,
    downscaleStabilizationSeconds: 300,
    ...(behavior === undefined ? {} : { behavior }),
  };
  return normalize(current, proposed, all, history, NOW_MS + atSeconds * 1000);
}

export const tutorial: Answers = Object.fromEntries(
  ["E-130", "E-131", "E-132", "E-133"].map((id, slot) => [id, () => tutorialOutcomes()[slot]]),
);

/** Usage of every pod at each slot, of 25m. */
const TUTORIAL_USAGE = [25, 25, 25, 0];

/** The decisions of successive slots, each applied; the object has been seen for a while. */
function tutorialOutcomes(): readonly string[] {
  let template = 1;
  let history = remembered([1, 15]);
  return TUTORIAL_USAGE.map((milli, slot) => {
    const pod = podWith({ containers: [{ name: "nginx", requests: { cpu: 25 } }] }, milli);
    const decision = decide(
      {
        atSeconds: slot * 15,
        max: 10,
        metrics: [cpu(10)],
        behavior: withWindows(10, 10),
        clusters: { a: { pods: times(template, pod) } },
      },
      history,
    );
    history = concludeScale(decision, { ok: true }).history;
    template = decision.desiredReplicas ?? template;
    return outcome(decision);
  });
}
