import { accountElement } from "#infra/browser/charts/account";
import { element } from "#infra/browser/charts/element";
import { dayAndTimeText } from "#infra/browser/charts/time-text";
import { askAccount } from "./ask.ts";
import type { AccountAnswer } from "./protocol.ts";

type Told = Extract<AccountAnswer, { readonly ok: true }>;

/** While the newest instant is followed, the account is asked for at most so often. */
const QUIET_MS = 1_000;

/** The account of the decision in force at the instant of an evaluation: the picked one, or the newest. */
export function accountPanel(host: HTMLElement) {
  let wanted = 0;
  let told = "";
  let later: ReturnType<typeof setTimeout> | undefined;

  async function show(key: string, atMs: number): Promise<void> {
    wanted += 1;
    const mine = wanted;
    const answer = await askAccount(key, atMs);
    if (mine !== wanted) return;
    const text = JSON.stringify([key, answer, answer.ok && answer.atMs < atMs]);
    if (text !== told) {
      told = text;
      host.replaceChildren(...(answer.ok ? accountOf(answer, atMs) : [element("p", {}, answer.message)]));
    }
    host.dataset.at = String(atMs);
    const when = dayAndTimeText(atMs);
    host.setAttribute("aria-label", `Account of ${key} at ${when}`);
  }

  return {
    at(key: string, atMs: number): void {
      clearTimeout(later);
      later = undefined;
      void show(key, atMs);
    },
    /** Soon, unless that was asked for already. */
    soon(key: string, atMs: () => number): void {
      later ??= setTimeout(() => {
        later = undefined;
        void show(key, atMs());
      }, QUIET_MS);
    },
    clear(): void {
      clearTimeout(later);
      later = undefined;
      wanted += 1;
      told = "";
      host.replaceChildren();
    },
  };
}

/** With a word for an instant whose own decision is not on record, since it changed nothing. */
function accountOf(
  { heading, sections, shadow, atMs: decidedMs }: Told,
  atMs: number,
): readonly HTMLElement[] {
  const parts = [accountElement(heading, sections)];
  if (shadow !== undefined) {
    const of = `Its shadow: ${shadow.heading}`;
    parts.push(element("div", { class: "shadow" }, accountElement(of, shadow.sections)));
  }
  if (decidedMs === atMs) return parts;
  const note = "The latest on record by then: kept are decisions that change something.";
  return [element("p", { class: "quiet" }, note), ...parts];
}
