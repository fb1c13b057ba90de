import { amountText } from "#infra/browser/charts/amount-text";
import { element } from "#infra/browser/charts/element";
import type { Action, LoadView } from "./protocol.ts";

/** What can be done to the chosen object: its load, and an event that asks for an evaluation. */
export function loadControls(host: HTMLElement, act: (action: Action) => void) {
  let object = "";
  const button = (text: string, title: string, action: () => Action) => {
    const made = element("button", { type: "button", title }, text);
    made.addEventListener("click", () => act(action()));
    return made;
  };
  const asked = element("b");
  const input = element("input", {
    type: "text",
    size: 8,
    placeholder: "500m",
    "aria-label": "Demand from now on, over all pods",
    autocomplete: "off",
    spellcheck: "false",
  });
  const restore = button("As before", "The load that the scenario has", () => ({
    do: "restore-load",
    object,
  }));
  const form = element(
    "form",
    { class: "set" },
    input,
    element("button", { type: "submit", title: "A steady load from now on" }, "Set"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act({ do: "set-load", object, demand: input.value });
  });
  const load = element(
    "div",
    { class: "load", role: "group", "aria-label": "Load" },
    element("span", {}, "Load ", asked),
    button("× 2", "Twice of it from now on", () => ({ do: "multiply-load", object, factor: 2 })),
    button("÷ 2", "Half of it from now on", () => ({ do: "multiply-load", object, factor: 0.5 })),
    button("None", "Nothing from now on", () => ({ do: "multiply-load", object, factor: 0 })),
    form,
    restore,
  );
  const evaluate = button("Put an event on the bus", "ReconcileRequested: evaluate it now", () => ({
    do: "put-event",
    object,
  }));
  const root = element("div", { class: "controls" }, load, evaluate);
  host.append(root);
  root.hidden = true;

  return {
    show(key: string | undefined, view: LoadView | undefined): void {
      root.hidden = key === undefined;
      object = key ?? "";
      load.hidden = view === undefined;
      const [first] = view?.demand ?? [];
      asked.textContent = first === undefined ? "" : `${amountText(first.unit, first.value)} ${first.name}`;
      restore.disabled = view?.isChanged !== true;
    },
  };
}
