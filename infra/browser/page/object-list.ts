import { element } from "#infra/browser/charts/element";
import type { ObjectView } from "./protocol.ts";

export interface ObjectList {
  /** Shows these, in this order. */
  show(objects: readonly ObjectView[]): void;
  choose(key: string | undefined): void;
}

/** CSS pixels; the style sheet has the same. */
const ROW = 46;
/** Rows that are made above and below what is seen, so that a fast scroll finds them. */
const SPARE = 6;

/**
 * A list of any length: only the rows in sight are elements. For assistive technology it is a listbox whose options say
 * where they are in the whole.
 */
export function objectList(host: HTMLElement, onChoose: (key: string) => void): ObjectList {
  let objects: readonly ObjectView[] = [];
  let chosen: string | undefined;
  let asked = 0;
  const sizer = element("div", { class: "sizer" });
  const rows: Row[] = [];
  host.append(sizer);

  function draw(): void {
    asked = 0;
    const first = Math.max(0, Math.floor(host.scrollTop / ROW) - SPARE);
    const seen = Math.ceil(host.clientHeight / ROW) + 2 * SPARE;
    const last = Math.min(objects.length, first + seen);
    while (rows.length < last - first) {
      const row = makeRow(rows.length);
      rows.push(row);
      sizer.append(row.root);
    }
    // A row keeps its element while it is in sight: its place is its index modulo their number.
    const taken = new Set<Row>();
    for (let index = first; index < last; index++) {
      const row = rows[index % rows.length];
      const object = objects[index];
      if (row === undefined || object === undefined) continue;
      taken.add(row);
      row.fill(object, index, objects.length, object.key === chosen);
    }
    for (const row of rows) row.root.hidden = !taken.has(row);
    const active = rows.find((row) => taken.has(row) && row.key() === chosen);
    if (active === undefined) host.removeAttribute("aria-activedescendant");
    else host.setAttribute("aria-activedescendant", active.root.id);
  }

  function ask(): void {
    if (asked === 0) asked = requestAnimationFrame(draw);
  }

  function move(to: number): void {
    const index = Math.max(0, Math.min(objects.length - 1, to));
    const object = objects[index];
    if (object === undefined) return;
    const top = index * ROW;
    if (top < host.scrollTop) host.scrollTop = top;
    const lowest = top + ROW - host.clientHeight;
    if (lowest > host.scrollTop) host.scrollTop = lowest;
    chosen = object.key;
    ask();
    onChoose(object.key);
  }

  host.addEventListener("scroll", ask, { passive: true });
  host.addEventListener("click", ({ target }) => {
    const row = rows.find(({ root }) => root.contains(target as Node));
    const index = objects.findIndex(({ key }) => key === row?.key());
    if (index >= 0) move(index);
  });
  host.addEventListener("keydown", (event) => {
    const at = objects.findIndex(({ key }) => key === chosen);
    const page = Math.max(1, Math.floor(host.clientHeight / ROW) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: objects.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  });
  new ResizeObserver(ask).observe(host);

  return {
    show(next) {
      objects = next;
      sizer.style.height = `${next.length * ROW}px`;
      ask();
    },
    choose(key) {
      chosen = key;
      ask();
    },
  };
}

interface Row {
  readonly root: HTMLElement;
  key(): string;
  fill(object: ObjectView, index: number, count: number, isChosen: boolean): void;
}

function makeRow(slot: number): Row {
  const name = element("span", { class: "name" });
  const replicas = element("span", { class: "replicas" });
  const metric = element("span", { class: "metric" });
  const state = element("span", { class: "state" });
  const root = element(
    "div",
    { class: "row", role: "option", id: `object-${slot}` },
    name,
    replicas,
    metric,
    state,
  );
  let shown: ObjectView | undefined;
  let place = "";
  return {
    root,
    key: () => shown?.key ?? "",
    fill(object, index, count, isChosen) {
      const nextPlace = `${index}/${count}/${isChosen}`;
      if (nextPlace !== place) {
        place = nextPlace;
        root.style.transform = `translateY(${index * ROW}px)`;
        root.setAttribute("aria-posinset", String(index + 1));
        root.setAttribute("aria-setsize", String(count));
        root.setAttribute("aria-selected", String(isChosen));
      }
      if (object === shown) return;
      shown = object;
      name.textContent = object.key;
      name.title = object.key;
      replicas.textContent = replicasText(object);
      metric.textContent = object.metric ?? "";
      state.textContent = object.note ?? object.state;
      state.title = state.textContent;
      root.dataset.state = object.state;
    },
  };
}

/** @example `5/10 ready` */
export function replicasText({ ready, wanted }: ObjectView): string {
  if (wanted === undefined) return "";
  return ready === undefined ? `${wanted} replica${wanted === 1 ? "" : "s"}` : `${ready}/${wanted} ready`;
}
