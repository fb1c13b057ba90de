import { accountElement } from "#infra/browser/charts/account";
import { element } from "#infra/browser/charts/element";
import { dayAndTimeText } from "#infra/browser/charts/time-text";
import { askAccount } from "./ask.ts";

/** While the newest instant is followed, the account is asked for at most so often. */
const QUIET_MS = 1_000;

/** The account of the decision in force at the picked instant, or the newest. */
export function accountPanel(host: HTMLElement) {
  let wanted = 0;
  let told = "";
  let later: ReturnType<typeof setTimeout> | undefined;

  async function show(key: string, atMs: number): Promise<void> {
    wanted += 1;
    const mine = wanted;
    const answer = await askAccount(key, atMs);
    if (mine !== wanted) return;
    const text = JSON.stringify([key, answer]);
    if (text !== told) {
      told = text;
      host.replaceChildren(
        answer.ok ? accountElement(answer.heading, answer.sections) : element("p", {}, answer.message),
      );
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
    focus: () => host.focus(),
  };
}
