import { element } from "#infra/browser/charts/element";
import type { Action, ClusterView } from "./protocol.ts";

/** A card for each cluster; its button, where it has one, keeps the focus while the card changes. */
export function clusterCards(host: HTMLElement, onAct: (action: Action) => void) {
  const cards = new Map<string, Card>();

  return {
    show(clusters: readonly ClusterView[]): void {
      const names = new Set(clusters.map(({ name }) => name));
      for (const [name, { root }] of cards) {
        if (names.has(name)) continue;
        root.remove();
        cards.delete(name);
      }
      for (const cluster of clusters) {
        const card = cards.get(cluster.name) ?? makeCard(cluster, onAct);
        if (!cards.has(cluster.name)) host.append(card.root);
        cards.set(cluster.name, card);
        card.fill(cluster);
      }
    },
  };
}

interface Card {
  readonly root: HTMLElement;
  fill(cluster: ClusterView): void;
}

function makeCard({ name, isCutOff }: ClusterView, onAct: (action: Action) => void): Card {
  const state = element("span", { class: "health" });
  const counts = element("span", { class: "quiet" });
  const root = element("li", { class: "cluster" }, element("b", {}, name), state, counts);
  const button = element("button", { type: "button" });
  let isCut = false;
  if (isCutOff !== undefined) root.append(button);
  button.addEventListener("click", () => onAct({ do: isCut ? "reconnect" : "cut-off", cluster: name }));
  return {
    root,
    fill({ state: now, isCutOff: cut = false, wanted, ready }) {
      isCut = cut;
      root.dataset.state = now;
      state.textContent = cut ? `${now}, cut off` : now;
      counts.textContent =
        ready === undefined
          ? `${wanted} replica${wanted === 1 ? "" : "s"}`
          : `${ready}/${wanted} replicas ready`;
      button.textContent = cut ? "Reconnect" : "Cut off";
      button.setAttribute("aria-label", `${button.textContent} ${name}`);
    },
  };
}
