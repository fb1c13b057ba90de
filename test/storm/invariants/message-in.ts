import type { ReconcileMessage } from "#app/reconcile/open-reconcile";
import type { Fact } from "#test/storm/facts";
import { parseReconcileMessage } from "#wire/work";

/** The reconcile message in a body of these facts; undefined where it cannot be read. Each body is read once, whoever asks. */
export function messageIn(facts: readonly Fact[], body: string): ReconcileMessage | undefined {
  const messages = read.get(facts) ?? new Map<string, ReconcileMessage | undefined>();
  read.set(facts, messages);
  if (!messages.has(body)) {
    const parsed = parseReconcileMessage(body);
    messages.set(body, parsed.ok ? parsed.value : undefined);
  }
  return messages.get(body);
}

const read = new WeakMap<readonly Fact[], Map<string, ReconcileMessage | undefined>>();
