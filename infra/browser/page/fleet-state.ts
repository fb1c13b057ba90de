import type { ClusterView, Course, LoadView, ObjectView, Point, Update } from "./protocol.ts";

/** What the page knows, kept up by the stream's updates. */
export interface FleetState {
  nowMs: number;
  mode: Update["mode"] | undefined;
  clusters: readonly ClusterView[];
  readonly objects: Map<string, ObjectView>;
  /** Of the chosen object. */
  key: string | undefined;
  points: Point[];
  load: LoadView | undefined;
}

/** What an update changed, for those who draw it. */
export interface Changed {
  readonly clusters: boolean;
  readonly objects: boolean;
  /** Whether objects came or went. */
  readonly keys: boolean;
  readonly points: boolean;
}

export function emptyState(): FleetState {
  return {
    nowMs: 0,
    mode: undefined,
    clusters: [],
    objects: new Map(),
    key: undefined,
    points: [],
    load: undefined,
  };
}

export function applyUpdate(state: FleetState, update: Update): Changed {
  const { whole, nowMs, mode, clusters, objects = [], gone = [], course } = update;
  const before = state.objects.size;
  if (whole) {
    state.objects.clear();
    state.points = [];
  }
  Object.assign(state, { nowMs, mode });
  if (clusters !== undefined) state.clusters = clusters;
  let added = 0;
  for (const object of objects) {
    if (!state.objects.has(object.key)) added += 1;
    state.objects.set(object.key, object);
  }
  for (const key of gone) state.objects.delete(key);
  return {
    clusters: clusters !== undefined,
    objects: whole || objects.length > 0 || gone.length > 0,
    keys: whole || added > 0 || state.objects.size !== before,
    points: applyCourse(state, course) || whole,
  };
}

function applyCourse(state: FleetState, course: Course | undefined): boolean {
  if (course === undefined || course.key !== state.key) return false;
  state.load = course.load;
  for (const point of course.points) {
    const at = state.points.findLastIndex(({ atMs }) => atMs <= point.atMs);
    const isSame = state.points[at]?.atMs === point.atMs;
    state.points.splice(isSame ? at : at + 1, isSame ? 1 : 0, point);
  }
  const forgotten = state.points.findIndex(({ atMs }) => atMs >= course.keptFromMs);
  if (forgotten > 0) state.points.splice(0, forgotten);
  return course.points.length > 0;
}
