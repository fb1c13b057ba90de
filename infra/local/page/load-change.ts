import { formatInstant } from "#domain/units/instant";
import { parseMilli } from "#domain/units/quantity";
import { milliText } from "#domain/units/quantity-text";
import type { KubeObject } from "#sim/api/object";
import { type LoadSpec, loadOf, type ShapeJson } from "#sim/load/load";
import { demandMilli } from "#sim/load/shape";

type Resource = "cpu" | "memory";

/** What the reader may change of a Load: its CPU, or its memory where it has no CPU. */
export function changeable(load: KubeObject): Resource | undefined {
  const spec = load.spec as unknown as LoadSpec;
  return spec.cpu !== undefined ? "cpu" : spec.memory !== undefined ? "memory" : undefined;
}

/** Thousandths that the load asks for at an instant. */
export function askedMilli(load: KubeObject, resource: Resource, nowMs: number): number {
  const { sinceMs, ...demands } = loadOf(load);
  return demandMilli(demands[resource].shape, (nowMs - sinceMs) / 1000);
}

/**
 * The shape that asks for `milli` from now on, steadily. What was asked for before now stays as it was as far as steps
 * can say it: samples look back, and must not find the new load in the past.
 */
export function steadyFromNow(
  load: KubeObject,
  resource: Resource,
  milli: number,
  nowMs: number,
): Pick<LoadSpec, "since"> & { readonly shape: ShapeJson } {
  const { sinceMs } = loadOf(load);
  const shape = (load.spec as unknown as LoadSpec)[resource] ?? {};
  const afterSeconds = Math.max(0, (nowMs - sinceMs) / 1000);
  const before = shape.steps?.filter((step) => step.afterSeconds < afterSeconds) ?? [
    { afterSeconds: 0, demand: milliText(Math.round(askedMilli(load, resource, nowMs))) },
  ];
  const steps = [...before.slice(-STEPS_AT_MOST), { afterSeconds, demand: milliText(Math.round(milli)) }];
  return {
    since: formatInstant(sinceMs),
    shape: { ...(shape.idle === undefined ? {} : { idle: shape.idle }), steps },
  };
}

/** No sample looks back further than a minute or two; more steps than this are nobody's past. */
const STEPS_AT_MOST = 50;

/** A merge patch that replaces a part of the load by another shape: fields that it does not have go. */
export function shapePatch(
  resource: Resource,
  shape: ShapeJson | undefined,
  since: string | undefined,
): object {
  const empty = { idle: null, constant: null, steps: null, ramp: null, sine: null, spike: null };
  return {
    spec: {
      ...(since === undefined ? {} : { since }),
      [resource]: shape === undefined ? null : { ...empty, ...shape },
    },
  };
}

/** Thousandths of an amount as people type it: `500m`, `2`, `1.5`, `300Mi`; undefined where it is none, or negative. */
export function demandOf(text: string): number | undefined {
  const milli = parseMilli(text.trim());
  if (milli === undefined) return undefined;
  const value = Number(milli);
  return value >= 0 && value <= LARGEST_MILLI ? value : undefined;
}

/** A million cores, a petabyte: beyond that it is a slip of the finger. */
const LARGEST_MILLI = 1e18;
