import type { History, Recommendation } from "#domain/scale/history";

/** No window of a spec is longer (the API takes 0..3600 s), so nothing older can matter, whatever the spec becomes. */
const LONGEST_WINDOW_SECONDS = 3600;

/** The history with `current` as its first recommendation if it has none (semantics 4.12: the first sight of an object). */
export function withInitialRecommendation(
  history: History,
  current: number,
  nowMs: number,
  controllerWindowSeconds: number,
): History {
  if (history.recommendations.length > 0) return history;
  return recordRecommendation(history, current, nowMs, controllerWindowSeconds);
}

/**
 * The history with `replicas` recommended at `nowMs`: the newest run goes on if it has that value, else a new one
 * starts. Then runs that can matter no more are dropped; `controllerWindowSeconds` is the window that the controller adds
 * where a spec has none.
 */
export function recordRecommendation(
  history: History,
  replicas: number,
  nowMs: number,
  controllerWindowSeconds: number,
): History {
  const former = history.recommendations;
  const newest = former.at(-1);
  const goesOn = newest?.replicas === replicas;
  const run: Recommendation = goesOn
    ? { replicas, firstMs: newest.firstMs, lastMs: Math.max(newest.lastMs, nowMs) }
    : { replicas, firstMs: nowMs, lastMs: nowMs };
  const cutoffMs = nowMs - Math.max(LONGEST_WINDOW_SECONDS, controllerWindowSeconds) * 1000;
  return { ...history, recommendations: prune(goesOn ? former.slice(0, -1) : former, run, cutoffMs) };
}

/**
 * The runs that some window can still ask for: seen within the longest window, and not outdone. A window that reaches
 * back to a run also holds every later one, so a run counts for a maximum only while no later one is as high, and for a
 * minimum only while none is as low. The newest always stays: an emptied history would look like a first sight (B37).
 */
function prune(
  former: readonly Recommendation[],
  newest: Recommendation,
  cutoffMs: number,
): Recommendation[] {
  const kept = [newest];
  let highest = newest.replicas;
  let lowest = newest.replicas;
  for (const run of former.toReversed()) {
    if (run.lastMs < cutoffMs) continue;
    if (run.replicas <= highest && run.replicas >= lowest) continue;
    kept.push(run);
    highest = Math.max(highest, run.replicas);
    lowest = Math.min(lowest, run.replicas);
  }
  return kept.reverse();
}
