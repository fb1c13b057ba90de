import type { Point } from "#infra/browser/page/protocol";

/** How many points are kept in all: some 40 MB at most. */
const POINTS_IN_ALL = 60_000;
/** Of one object: twelve hours of slots. */
const POINTS_AT_MOST = 2_880;
const POINTS_AT_LEAST = 40;

interface Kept {
  readonly point: Point;
  readonly revision: number;
}

/** The latest evaluations of every object, in bounded memory: the more objects, the shorter the past. */
export class Courses {
  readonly #points = new Map<string, Kept[]>();

  /** Adds a point; another at the same instant takes its place. */
  add(key: string, point: Point, revision: number): void {
    const points = this.#points.get(key) ?? [];
    const at = points.findLastIndex((kept) => kept.point.atMs <= point.atMs);
    const isSame = points[at]?.point.atMs === point.atMs;
    points.splice(isSame ? at : at + 1, isSame ? 1 : 0, { point, revision });
    const room = Math.floor(POINTS_IN_ALL / Math.max(1, this.#points.size));
    const most = Math.min(POINTS_AT_MOST, Math.max(POINTS_AT_LEAST, room));
    if (points.length > most) points.splice(0, points.length - most);
    this.#points.set(key, points);
  }

  delete(key: string): void {
    this.#points.delete(key);
  }

  last(key: string): Point | undefined {
    return this.#points.get(key)?.at(-1)?.point;
  }

  keptFromMs(key: string): number {
    return this.#points.get(key)?.[0]?.point.atMs ?? 0;
  }

  since(key: string, revision: number): readonly Point[] {
    const points = this.#points.get(key) ?? [];
    return points.filter((kept) => kept.revision > revision).map(({ point }) => point);
  }
}
