import { fnv1a } from "#domain/units/hash";
import { isTurn } from "#domain/work/slots";
import type { ObjectId } from "#wire/keys";

/** Work that an object does once a minute, spread over the minute's slots by its name. */
export function minuteTurn(id: ObjectId, instantMs: number, periodSeconds: number): boolean {
  return spread(id, instantMs, periodSeconds, 60);
}

/** Work that an object does every five minutes. */
export function fiveMinuteTurn(id: ObjectId, instantMs: number, periodSeconds: number): boolean {
  return spread(id, instantMs, periodSeconds, 300);
}

/** Every n-th evaluation of an object. */
export function nthTurn(id: ObjectId, instantMs: number, periodSeconds: number, n: number): boolean {
  return spread(id, instantMs, periodSeconds, n * periodSeconds);
}

function spread(
  { namespace, name }: ObjectId,
  instantMs: number,
  periodSeconds: number,
  everySeconds: number,
): boolean {
  const turns = Math.max(1, Math.round(everySeconds / periodSeconds));
  return isTurn(instantMs, periodSeconds, fnv1a(`${namespace}/${name}`), turns);
}
