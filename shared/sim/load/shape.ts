/**
 * How much is asked of a workload over time, in thousandths of its unit (millicores, thousandths of a byte), over all
 * of its pods. `…Seconds` count from the load's start.
 */
export type Shape =
  | { readonly kind: "constant"; readonly milli: number }
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
  | {
      readonly kind: "ramp";
      readonly fromMilli: number;
      readonly toMilli: number;
      readonly afterSeconds: number;
      readonly overSeconds: number;
    }
  | {
      readonly kind: "sine";
      readonly meanMilli: number;
      readonly amplitudeMilli: number;
      readonly periodSeconds: number;
      readonly phaseSeconds: number;
    }
  | {
      readonly kind: "spike";
      readonly baseMilli: number;
      readonly peakMilli: number;
      readonly afterSeconds: number;
      readonly riseSeconds: number;
      readonly holdSeconds: number;
      readonly fallSeconds: number;
    };

/** From `afterSeconds` on, until the next step. */
export interface Step {
  readonly afterSeconds: number;
  readonly milli: number;
}

/**
 * The demand at an instant, also before the start (negative seconds); never negative itself.
 *
 * - steps: nothing before the first, but a first one at 0 holds from ever
 * - ramp: `from`, then in a straight line to `to`, then `to`
 * - sine: mean + amplitude · sin(2π · (t − phase) / period)
 * - spike: base, up to the peak within `rise`, at the peak for `hold`, down again within `fall`
 */
export function demandMilli(shape: Shape, seconds: number): number {
  switch (shape.kind) {
    case "constant":
      return Math.max(0, shape.milli);
    case "steps":
      return Math.max(0, stepAt(shape.steps, seconds)?.milli ?? 0);
    case "ramp": {
      const part = portion(seconds - shape.afterSeconds, shape.overSeconds);
      return Math.max(0, shape.fromMilli + (shape.toMilli - shape.fromMilli) * part);
    }
    case "sine": {
      const turn = (seconds - shape.phaseSeconds) / shape.periodSeconds;
      return Math.max(0, shape.meanMilli + shape.amplitudeMilli * Math.sin(2 * Math.PI * turn));
    }
    case "spike": {
      const up = portion(seconds - shape.afterSeconds, shape.riseSeconds);
      const down = portion(
        seconds - shape.afterSeconds - shape.riseSeconds - shape.holdSeconds,
        shape.fallSeconds,
      );
      return Math.max(0, shape.baseMilli + (shape.peakMilli - shape.baseMilli) * (up - down));
    }
  }
}

function stepAt(steps: readonly Step[], seconds: number): Step | undefined {
  const [first] = steps;
  return (
    steps.findLast((step) => step.afterSeconds <= seconds) ?? (first?.afterSeconds === 0 ? first : undefined)
  );
}

/** How much of a stretch has passed: 0 before it, 1 after it; a stretch of no length passes at once. */
function portion(seconds: number, length: number): number {
  if (seconds < 0) return 0;
  return seconds >= length ? 1 : seconds / length;
}
