import { recordScale } from "#domain/scale/conclude";
import { EMPTY_HISTORY } from "#domain/scale/history";
import { type NormalizeRules, normalize, withLongestPeriods } from "#domain/scale/normalize";
import { type Judge, sameOr } from "#test/golden/judge";

interface NormalizeInput {
  readonly start: string;
  readonly downscaleStabilisationSeconds: number;
  readonly spec: Omit<NormalizeRules, "downscaleStabilizationSeconds">;
  readonly steps: readonly { readonly dt: number; readonly cur?: number; readonly want: number }[];
}

interface NormalizeOut {
  readonly steps: readonly { readonly r: number; readonly able?: string; readonly lim?: string }[];
}

/**
 * Replays a trajectory with our pruned runs and all scale events, kept with and without `behavior`; the contract is the
 * count and the two reasons of every step (vectors/README). No entry of the ledger applies: percentages round as Go's
 * doubles do (C08).
 */
export const judge: Judge<NormalizeInput, NormalizeOut> = ({ in: input, out }) =>
  sameOr(
    out.steps.map(({ r, able, lim }) => ({ r, able, lim })),
    replay(input),
  );

function replay({
  start,
  spec,
  downscaleStabilisationSeconds,
  steps,
}: NormalizeInput): NormalizeOut["steps"] {
  const rules = { ...spec, downscaleStabilizationSeconds: downscaleStabilisationSeconds };
  let history = withLongestPeriods(EMPTY_HISTORY, spec.behavior);
  let nowMs = Date.parse(start);
  let current = 0;
  return steps.map(({ dt, cur = current, want }) => {
    nowMs += Math.round(dt * 1000);
    const { replicas, able, limited, history: next } = normalize(cur, want, rules, history, nowMs);
    history = recordScale(next, cur, replicas, nowMs);
    current = replicas;
    return {
      r: replicas,
      ...(able === "ReadyForNewScale" ? {} : { able }),
      ...(limited === undefined ? {} : { lim: limited }),
    };
  });
}
