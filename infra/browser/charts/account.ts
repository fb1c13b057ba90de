import type { AccountSection } from "#domain/scale/account";
import { element } from "./element.ts";

/** An account as it is printed by `mainsheet why`: a heading, then each part with its title beside it. */
export function accountElement(heading: string, sections: readonly AccountSection[]): HTMLElement {
  const parts = sections.flatMap(({ title, lines }) => [
    element("dt", {}, title),
    element("dd", {}, ...lines.map((line) => element("div", {}, line))),
  ]);
  return element("div", { class: "account-text" }, element("h3", {}, heading), element("dl", {}, ...parts));
}
