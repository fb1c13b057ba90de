import type { Message } from "#ports/queue";
import type { Agenda } from "#test/storm/agenda";
import type { Dice } from "#test/storm/chance";
import type { Fact } from "#test/storm/facts";

export interface QueueRules {
  readonly fifo: boolean;
  readonly visibilitySeconds: number;
  readonly maxReceives?: number;
  readonly deadLetters?: string;
}

/** A message in a queue. */
export interface Queued {
  readonly id: string;
  readonly body: string;
  readonly groupId?: string;
  readonly sentAtMs: number;
  receives: number;
  visibleAtMs: number;
}

/** One queue with SQS's rules: at least once, hidden while it is worked, FIFO groups in order and one at a time. */
export interface StormQueue {
  readonly name: string;
  readonly rules: QueueRules;
  accept(message: Message): void;
  /** Takes over a message that another queue gave up. */
  bury(message: Queued): void;
  /** Hands out up to `most` and hides them; those received too often go to the dead letters instead. */
  receive(most: number): readonly Queued[];
  remove(message: Queued): void;
  /** Shows it to somebody else at once, as a standard queue may. */
  show(message: Queued): void;
  /** The next instant at which something may be handed out that cannot be now. */
  nextVisibleMs(): number | undefined;
  waiting(): readonly Queued[];
}

export interface StormQueueOptions {
  readonly name: string;
  readonly rules: QueueRules;
  readonly agenda: Agenda;
  /** Standard queues have no order. */
  readonly chance: Dice;
  readonly tell: (fact: Fact) => void;
  readonly deadLetters: StormQueue | undefined;
  /** There may be something to hand out. */
  readonly changed: () => void;
}

export function openQueue(options: StormQueueOptions): StormQueue {
  const { name, rules, agenda, chance, tell, deadLetters, changed } = options;
  let messages: Queued[] = [];
  let sent = 0;

  const say = (what: "accepted" | "dead", { id, body }: Queued) =>
    tell({ what, atMs: agenda.nowMs(), queue: name, id, body });
  const remove = (message: Queued) => {
    messages = messages.filter((one) => one !== message);
  };

  function lockedGroups(nowMs: number): Set<string> {
    const locked = messages.filter(({ receives, visibleAtMs }) => receives > 0 && visibleAtMs > nowMs);
    return new Set(rules.fifo ? locked.map(({ groupId }) => groupId ?? "") : []);
  }

  return {
    name,
    rules,
    accept({ body, groupId, delaySeconds = 0 }) {
      sent += 1;
      const nowMs = agenda.nowMs();
      const message: Queued = {
        id: `${name}-${sent}`,
        body,
        ...(groupId === undefined ? {} : { groupId }),
        sentAtMs: nowMs,
        receives: 0,
        visibleAtMs: nowMs + delaySeconds * 1000,
      };
      messages.push(message);
      say("accepted", message);
      changed();
    },
    bury(message) {
      messages.push({ ...message, visibleAtMs: agenda.nowMs() });
      changed();
    },
    receive(most) {
      const nowMs = agenda.nowMs();
      const locked = lockedGroups(nowMs);
      const ready = rules.fifo ? messages : shuffled(messages, chance);
      const found: Queued[] = [];
      for (const message of ready) {
        if (found.length === most) break;
        if (message.visibleAtMs > nowMs) {
          if (rules.fifo) locked.add(message.groupId ?? "");
        } else if (rules.fifo && locked.has(message.groupId ?? "")) {
        } else if (deadLetters !== undefined && message.receives >= (rules.maxReceives ?? Infinity)) {
          remove(message);
          deadLetters.bury(message);
          say("dead", message);
        } else found.push(message);
      }
      for (const message of found) {
        message.receives += 1;
        message.visibleAtMs = nowMs + rules.visibilitySeconds * 1000;
      }
      return found;
    },
    remove,
    show(message) {
      message.visibleAtMs = agenda.nowMs();
    },
    nextVisibleMs() {
      const nowMs = agenda.nowMs();
      const later = messages.map(({ visibleAtMs }) => visibleAtMs).filter((atMs) => atMs > nowMs);
      return later.length === 0 ? undefined : Math.min(...later);
    },
    waiting: () => messages,
  };
}

function shuffled<T>(list: readonly T[], chance: Dice): readonly T[] {
  return list
    .map((one) => ({ one, rank: chance.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
