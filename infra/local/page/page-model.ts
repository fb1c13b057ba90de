import { randomUUID } from "node:crypto";
import type { ClusterView, ObjectView, Point, Update } from "#infra/browser/page/protocol";
import type { CronLine, DecisionLine } from "#infra/local/decision-line";
import type { Clock } from "#ports/clock";
import { Courses } from "./courses.ts";
import { demandAt, type FleetEye, type Placed } from "./fleet-eye.ts";
import { objectView, sum } from "./object-view.ts";
import { Revisions } from "./revisions.ts";

export interface PageModelOptions {
  readonly mode: Update["mode"];
  readonly clock: Clock;
  /** Absent with a real hub: then only what was decided is known. */
  readonly eye?: FleetEye;
  /** Whether the load on an object is what the reader made of it. */
  readonly isLoadChanged?: (key: string) => boolean;
}

/** So many runs of a rule are remembered until the next evaluation of what it scales. */
const CRON_RUNS = 10;

/** What the page shows, as one state with a revision: any reader can be told what has changed since any revision. */
export class PageModel {
  /** Names this run: revisions of another mean nothing here. */
  readonly run = randomUUID().slice(0, 8);
  readonly #options: PageModelOptions;
  readonly #objects = new Revisions<ObjectView>();
  readonly #clusters = new Revisions<ClusterView>();
  readonly #courses = new Courses();
  /** Clusters that decisions named, for a real hub: whether they were read the last time. */
  readonly #seen = new Map<string, { readonly isRead: boolean; readonly atMs: number }>();
  readonly #cronRuns = new Map<string, string[]>();
  #revision = 0;
  #version = -1;

  constructor(options: PageModelOptions) {
    this.#options = options;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Takes an evaluation, after the fleet has acted on it. */
  decided(line: DecisionLine): void {
    const { eye } = this.#options;
    const { object: key, atMs, result } = line;
    if (result === "stale" || result === "elsewhere") return;
    if (result === "gone") {
      this.#courses.delete(key);
      this.#objects.delete(key, this.#next);
      return;
    }
    const placed = eye?.placed(key);
    const point = this.#pointOf(line, placed);
    this.#courses.add(key, point, this.#next());
    this.#objects.set(key, objectView(key, placed, point), this.#next);
    for (const cluster of Object.keys(line.clusters)) {
      if ((this.#seen.get(cluster)?.atMs ?? 0) > atMs) continue;
      this.#seen.set(cluster, { isRead: !point.unread.includes(cluster), atMs });
    }
  }

  cronRan({ object, target, rule, why, result }: CronLine): void {
    const [namespace] = object.split("/");
    const of = `${namespace}/${target}`;
    const runs = this.#cronRuns.get(of) ?? [];
    const told = result === "applied" || result === "overridden" ? why : `${result}: ${why}`;
    this.#cronRuns.set(of, [...runs, `rule ${rule}: ${told}`].slice(-CRON_RUNS));
  }

  /** Looks at the fleet again, if anything was written there since the last time. */
  refresh(): void {
    const { eye } = this.#options;
    if (eye === undefined) {
      this.#clusters.replace(this.#clustersDecidedFrom(), this.#next);
      return;
    }
    if (eye.version() === this.#version) return;
    this.#version = eye.version();
    const wanted = new Map<string, number>();
    const ready = new Map<string, number>();
    const views = eye.keys().map((key) => {
      const placed = eye.placed(key);
      for (const [name, count] of Object.entries(placed?.clusters ?? {})) add(wanted, name, count);
      for (const [name, count] of Object.entries(placed?.readyIn ?? {})) add(ready, name, count);
      return [key, objectView(key, placed, this.#courses.last(key))] as const;
    });
    this.#objects.replace(views, this.#next);
    const clusters = eye.clusters().map(({ name, isReady, isCutOff }): [string, ClusterView] => {
      const counts = { wanted: wanted.get(name) ?? 0, ready: ready.get(name) ?? 0 };
      return [name, { name, state: isReady ? "ready" : "not ready", isCutOff, ...counts }];
    });
    this.#clusters.replace(clusters, this.#next);
  }

  /** What a reader at a revision does not know; everything for one that comes with none, or from too far back. */
  since(revision: number, key: string | undefined, courseSince = revision): Update {
    const { clock, mode } = this.#options;
    const head = { nowMs: clock.nowMs(), mode };
    const objects = this.#objects.since(revision);
    const clusters = this.#clusters.since(revision);
    if (objects === undefined || clusters === undefined) return this.since(0, key);
    const hasClusters = clusters.changed.length + clusters.gone.length > 0;
    const course = key === undefined ? undefined : this.#course(key, courseSince);
    return {
      ...head,
      whole: revision === 0,
      ...(hasClusters ? { clusters: this.#clusters.since(0)?.changed ?? [] } : {}),
      ...(objects.changed.length > 0 ? { objects: objects.changed } : {}),
      ...(objects.gone.length > 0 ? { gone: objects.gone } : {}),
      ...(course === undefined ? {} : { course }),
    };
  }

  readonly #next = (): number => {
    this.#revision += 1;
    return this.#revision;
  };

  #course(key: string, revision: number): Update["course"] {
    const { eye, clock, isLoadChanged } = this.#options;
    const load = eye?.loadOn(key);
    const isChanged = isLoadChanged?.(key) ?? false;
    return {
      key,
      points: this.#courses.since(key, revision),
      keptFromMs: this.#courses.keptFromMs(key),
      ...(load === undefined ? {} : { load: { demand: demandAt(load, clock.nowMs()), isChanged } }),
    };
  }

  #pointOf({ object: key, atMs, ...line }: DecisionLine, placed: Placed | undefined): Point {
    const { eye } = this.#options;
    const { result, from, to, why, clusters, figures, shadow } = line;
    const bounds = placed ?? figures;
    const [namespace, name] = key.split("/");
    const cron = [`${namespace}/FederatedHPA/${name}`, `${namespace}/${placed?.target}`].flatMap((of) => {
      const runs = this.#cronRuns.get(of) ?? [];
      this.#cronRuns.delete(of);
      return runs;
    });
    return {
      atMs,
      result,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      why,
      clusters: placed?.clusters ?? clusters,
      unread: figures?.gaps ?? Object.keys(clusters).filter((cluster) => clusters[cluster] === null),
      ...(placed === undefined ? {} : { ready: sum(placed.readyIn) }),
      ...(bounds?.minReplicas === undefined ? {} : { minReplicas: bounds.minReplicas }),
      ...(bounds?.maxReplicas === undefined ? {} : { maxReplicas: bounds.maxReplicas }),
      ...(figures === undefined ? {} : { figures }),
      demand: demandAt(eye?.loadOn(key), atMs),
      ...(shadow === undefined ? {} : { shadow }),
      ...(cron.length === 0 ? {} : { cron }),
    };
  }

  *#clustersDecidedFrom(): Iterable<[string, ClusterView]> {
    const wanted = new Map<string, number>();
    for (const { key } of this.#objects.since(0)?.changed ?? []) {
      for (const [name, count] of Object.entries(this.#courses.last(key)?.clusters ?? {}))
        add(wanted, name, count ?? 0);
    }
    for (const [name, { isRead }] of this.#seen) {
      yield [name, { name, state: isRead ? "ready" : "unread", wanted: wanted.get(name) ?? 0 }];
    }
  }
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
