import type { ObjectChange } from "#domain/relay/watched-object";
import type { BusEvent } from "#ports/bus";
import { mainsheetEvent } from "#wire/events";
import type { Source } from "./sources.ts";

export interface SourceChange extends ObjectChange {
  readonly source: Source;
}

/**
 * Of several changes of an object the last one, from what was before the first: what was in between when nothing could be
 * published is over.
 */
export function latestOf(changes: readonly SourceChange[]): readonly SourceChange[] {
  const latest = new Map<string, SourceChange>();
  for (const entry of changes) {
    const key = `${entry.source.name} ${entry.object.uid}`;
    const first = latest.get(key);
    latest.delete(key);
    latest.set(key, first === undefined ? entry : joined(first, entry));
  }
  return [...latest.values()];
}

function joined({ before, change }: SourceChange, last: SourceChange): SourceChange {
  const { before: _between, ...rest } = last;
  const isStillNew = change === "added" && last.change === "modified";
  return { ...rest, ...(before === undefined ? {} : { before }), change: isStillNew ? "added" : last.change };
}

/** The events that tell of these changes, in order; of a workload's pods the last one alone. */
export function objectEvents(
  hub: string,
  changes: readonly SourceChange[],
  atMs: number,
): readonly BusEvent[] {
  const lastOfPods = new Map<string, SourceChange>();
  for (const entry of changes) {
    if (entry.source.kind === "Pod") lastOfPods.set(workloadOf(entry), entry);
  }
  return changes
    .filter((entry) => entry.source.kind !== "Pod" || lastOfPods.get(workloadOf(entry)) === entry)
    .map(({ source, change, object, id }) => {
      const { namespace, name, target } = object;
      const detail = {
        v: 1 as const,
        ...{ id, hub, kind: source.kind, name, change },
        ...(source.cluster === undefined ? {} : { cluster: source.cluster }),
        ...(namespace === undefined ? {} : { namespace }),
        // A FederatedHPA is named itself: whom it scales is for who evaluates it to read.
        ...(target === undefined || !source.onlyTargets ? {} : { target }),
      };
      return mainsheetEvent("ObjectChanged", detail, atMs);
    });
}

function workloadOf({ source, object }: SourceChange): string {
  return JSON.stringify([source.name, object.target]);
}
