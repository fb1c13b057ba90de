import { formatMicroInstant } from "#domain/units/instant";
import type { AccountAnswer, Action, ActionAnswer } from "./protocol.ts";

/** Asks the host to do something; what comes back is one sentence. */
export async function act(action: Action): Promise<ActionAnswer> {
  try {
    const response = await fetch("/actions", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(action),
    });
    const text = await response.text();
    const isAnswer = response.headers.get("content-type") === "application/json";
    return isAnswer ? (JSON.parse(text) as ActionAnswer) : { ok: false, message: text.trim() };
  } catch {
    return { ok: false, message: "the local host does not answer; is it still running?" };
  }
}

/** The account of the decision in force at an instant. */
export async function askAccount(key: string, atMs: number): Promise<AccountAnswer> {
  try {
    // To the millisecond: an event is evaluated at its own instant, not at a slot.
    const query = new URLSearchParams({ object: key, at: formatMicroInstant(atMs) });
    const response = await fetch(`/account?${query}`);
    if (response.ok) return (await response.json()) as AccountAnswer;
    return { ok: false, message: (await response.text()).trim() };
  } catch {
    return { ok: false, message: "the local host does not answer; is it still running?" };
  }
}
