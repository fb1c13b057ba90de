import type { Invariant, Story, Violation } from "./facts.ts";
import { withinBounds } from "./invariants/i1-within-bounds.ts";
import { recordedOnce } from "./invariants/i2-recorded-once.ts";
import { asUndisturbed } from "./invariants/i3-as-undisturbed.ts";
import { cronOnce } from "./invariants/i4-cron-once.ts";
import { unreadableIsNotZero } from "./invariants/i5-unreadable-is-not-zero.ts";
import { cronWellAgain } from "./invariants/i6-cron-well-again.ts";
import { relayWellAgain } from "./invariants/i6-relay-well-again.ts";
import { wellAgain } from "./invariants/i6-well-again.ts";
import { eventsHeard } from "./invariants/i7-events-heard.ts";
import { noMessageLost } from "./invariants/i7-no-message-lost.ts";
import { relayed } from "./invariants/i7-relayed.ts";
import { bounded } from "./invariants/i8-bounded.ts";

/** Numbered as in docs/reliability.md. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  I1: withinBounds,
  I2: recordedOnce,
  I3: asUndisturbed,
  I4: cronOnce,
  I5: unreadableIsNotZero,
  I6: (story) => [...wellAgain(story), ...cronWellAgain(story), ...relayWellAgain(story)],
  I7: (story) => [...noMessageLost(story), ...eventsHeard(story), ...relayed(story)],
  I8: bounded,
};

/** Everything that does not hold, in order of time. */
export function judge(story: Story): readonly Violation[] {
  return Object.values(INVARIANTS)
    .flatMap((invariant) => invariant(story))
    .sort((a, b) => a.atMs - b.atMs);
}
