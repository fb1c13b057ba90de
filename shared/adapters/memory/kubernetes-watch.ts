import type { KubeObject, WatchEvent, WatchQuery } from "#ports/kubernetes";
import type { WatchChange } from "#sim/api/api-server";
import type { Change, Store } from "#sim/api/store";

/** What was missed, then what happens, until the time is over or the caller stops. It ends with a bookmark. */
export async function* followChanges(
  store: Store,
  missed: readonly WatchChange[],
  means: (change: Change) => WatchChange | undefined,
  { timeoutSeconds, signal }: WatchQuery,
): AsyncGenerator<WatchEvent> {
  const arrived: WatchChange[] = [...missed];
  let wake = () => {};
  const unsubscribe = store.subscribe((change) => {
    const meant = means(change);
    if (meant === undefined) return;
    arrived.push(meant);
    wake();
  });
  let isOver = signal?.aborted === true;
  const end = () => {
    isOver = true;
    wake();
  };
  const timer = setTimeout(end, timeoutSeconds * 1000);
  signal?.addEventListener("abort", end);
  try {
    while (true) {
      for (let next = arrived.shift(); next !== undefined; next = arrived.shift()) {
        yield { type: next.type, object: next.object as KubeObject };
      }
      if (isOver) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    yield { type: "BOOKMARK", resourceVersion: String(store.resourceVersion) };
  } finally {
    clearTimeout(timer);
    unsubscribe();
    signal?.removeEventListener("abort", end);
  }
}
