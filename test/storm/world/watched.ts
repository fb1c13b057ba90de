import { HUB_SOURCES, type Source } from "#app/relay/sources";
import type { Clock } from "#ports/clock";
import type { KubeObject } from "#ports/kubernetes";
import type { Store } from "#sim/api/store";
import type { Fact } from "#test/storm/facts";

/** Tells what there is of all that a relay watches, and from then on each change of what matters of it. */
export function tellWatched(store: Store, clock: Clock, tell: (fact: Fact) => void): void {
  const digests = new Map<string, string>();

  function note(source: Source, raw: KubeObject, isGone: boolean): void {
    const object = source.read(raw);
    if (object === undefined) return;
    const { uid, namespace, name, target, resourceVersion } = object;
    const digest = isGone ? "" : object.digest;
    const key = `${source.name} ${uid}`;
    if (digests.get(key) === digest) return;
    digests.set(key, digest);
    tell({
      ...{ what: "watched", atMs: clock.nowMs(), source: source.name, uid, digest },
      object: namespace === undefined ? name : `${namespace}/${name}`,
      resourceVersion: Number(resourceVersion),
      ...(target === undefined ? {} : { target: `${target.kind} ${target.namespace}/${target.name}` }),
    });
  }

  for (const source of HUB_SOURCES)
    for (const object of store.list(source.resource)) note(source, object as KubeObject, false);
  store.subscribe(({ type, group, resource, object }) => {
    const source = HUB_SOURCES.find(
      (one) => one.resource.resource === resource && one.resource.group === group,
    );
    if (source !== undefined) note(source, object as KubeObject, type === "DELETED");
  });
}
