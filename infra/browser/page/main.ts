import { themeChoice } from "#infra/browser/charts/theme-choice";
import { dayAndTimeText } from "#infra/browser/charts/time-text";
import { type TimelineCharts, timelineCharts } from "#infra/browser/charts/timeline-charts";
import { accountPanel } from "./account-panel.ts";
import { act } from "./ask.ts";
import { clusterCards } from "./cluster-cards.ts";
import { courseTimeline } from "./course-timeline.ts";
import { applyUpdate, type Changed, emptyState } from "./fleet-state.ts";
import { liveStream } from "./live-stream.ts";
import { loadControls } from "./load-controls.ts";
import { objectList, replicasText } from "./object-list.ts";
import type { Action, ObjectView, Update } from "./protocol.ts";
import { totalsText } from "./totals-text.ts";

const MINUTE = 60_000;
const SPANS: readonly (readonly [string, number | undefined])[] = [
  ["5 minutes", 5 * MINUTE],
  ["15 minutes", 15 * MINUTE],
  ["1 hour", 60 * MINUTE],
  ["everything", undefined],
];
/** How often the newest edge of the charts moves where nothing else does. */
const EDGE_MS = 1_000;

const state = emptyState();
/** web-9 comes before web-10. */
const byName = new Intl.Collator("en", { numeric: true }).compare;
const byId = (id: string) => document.getElementById(id) as HTMLElement;
const select = (id: string) => byId(id) as HTMLSelectElement;
const filter = byId("filter") as HTMLInputElement;
const restless = byId("restless") as HTMLInputElement;
let charts: TimelineCharts | undefined;
let keys: readonly string[] = [];
let pickedMs: number | undefined;
let drawnAt = 0;

const cards = clusterCards(byId("clusters"), run);
const list = objectList(byId("objects"), choose);
const controls = loadControls(byId("controls"), run);
const account = accountPanel(byId("account"));
const stream = liveStream({
  onUpdate: update,
  onState: (now) => {
    byId("connection").textContent = now === "live" ? "live" : "connection lost, trying again";
    byId("connection").dataset.state = now;
  },
});

themeChoice(select("theme"), () => charts?.repaint());
for (const [text] of SPANS) select("span").add(new Option(text, text));
select("span").value = "15 minutes";
select("span").addEventListener("change", () => charts?.show(spanMs()));
filter.addEventListener("input", drawList);
restless.addEventListener("change", drawList);
state.key = decodeURIComponent(location.hash.slice(1)) || undefined;
stream.follow(state.key);

async function run(action: Action): Promise<void> {
  const { ok, message } = await act(action);
  byId("said").textContent = message;
  byId("said").dataset.state = ok ? "done" : "refused";
}

function update(news: Update): void {
  const changed = applyUpdate(state, news);
  draw(changed);
  // The first object is as good as any where the reader has not chosen.
  const [first] = keys;
  if (state.key === undefined && first !== undefined) choose(first);
}

function draw(changed: Changed): void {
  byId("clock").textContent = dayAndTimeText(state.nowMs);
  if (changed.clusters) cards.show(state.clusters);
  if (changed.keys) keys = [...state.objects.keys()].sort(byName);
  if (changed.objects) drawList();
  if (changed.clusters || changed.objects) {
    byId("totals").textContent = totalsText(state.clusters, [...state.objects.values()]);
  }
  drawMode();
  drawDetail(changed);
}

function drawMode(): void {
  const isReal = state.mode !== undefined && state.mode !== "embedded";
  byId("mode").textContent = isReal ? `real hub, ${state.mode}` : "embedded fleet";
  byId("notice").hidden = !isReal;
  byId("notice").textContent =
    "This is a real hub: the page shows what is decided and changes nothing. Loads, clusters and events are for the embedded fleet.";
}

function drawList(): void {
  const text = filter.value.trim().toLowerCase();
  const shown = keys.flatMap((key): readonly ObjectView[] => {
    const object = state.objects.get(key);
    if (object === undefined || !key.toLowerCase().includes(text)) return [];
    return restless.checked && object.state === "steady" ? [] : [object];
  });
  list.show(shown);
}

function choose(key: string): void {
  if (key === state.key && charts !== undefined) return;
  Object.assign(state, { key, points: [], load: undefined });
  history.replaceState(null, "", `#${encodeURIComponent(key)}`);
  pickedMs = undefined;
  charts?.destroy();
  charts = undefined;
  account.clear();
  list.choose(key);
  stream.follow(key);
}

function drawDetail({ points, objects }: Changed): void {
  const { key } = state;
  if (key === undefined) return;
  if (state.mode === "embedded") controls.show(key, state.load);
  if (objects || points) drawGlance(key);
  const now = performance.now();
  if (!points && now - drawnAt < EDGE_MS) return;
  drawnAt = now;
  if (charts === undefined) {
    charts = timelineCharts({ label: `${key} over time`, isLive: true, onPick: pick });
    byId("charts").replaceChildren(charts.root);
    charts.show(spanMs());
    list.choose(key);
    account.at(key, newestMs());
  }
  charts.update(courseTimeline(state.points, state.nowMs));
  if (points && pickedMs === undefined) account.soon(key, newestMs);
}

function drawGlance(key: string): void {
  byId("detail-title").textContent = key;
  const object = state.objects.get(key);
  const { minReplicas: min = "?", maxReplicas: max = "?" } = object ?? {};
  const parts = object
    ? [replicasText(object), `from ${min} to ${max} allowed`]
    : ["there is no such FederatedHPA at the moment"];
  const last = state.points.at(-1);
  const { shadow } = last ?? {};
  const told = [
    ...parts,
    ...(last === undefined ? [] : [last.why]),
    ...(shadow === undefined
      ? []
      : [`shadow ${shadow.configMap} wants ${shadow.to ?? "nothing"}: ${shadow.why}`]),
  ];
  byId("glance").textContent = told.join(" · ");
}

function pick(atMs: number | undefined): void {
  pickedMs = atMs;
  if (state.key !== undefined) account.at(state.key, atMs ?? newestMs());
}

/** Of the newest evaluation. */
function newestMs(): number {
  return state.points.at(-1)?.atMs ?? state.nowMs;
}

function spanMs(): number | undefined {
  return SPANS.find(([text]) => text === select("span").value)?.[1];
}
