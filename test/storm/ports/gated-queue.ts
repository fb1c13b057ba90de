import type { Clock } from "#ports/clock";
import type { QueuePort } from "#ports/queue";
import type { Invocation } from "#test/storm/cloud/environments";
import type { Fact } from "#test/storm/facts";
import type { Gate } from "./gate.ts";

export interface GatedQueueOptions {
  readonly port: QueuePort;
  readonly by: Invocation;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Whether this send is taken only in part: every second entry, from the first on, is not accepted. */
  readonly rejects: (queue: string) => boolean;
  /** Moves on what a queue accepted. */
  readonly sent: (queue: string) => void;
  readonly tell: (fact: Fact) => void;
}

/** The queues of one invocation, behind the gate. */
export function gatedQueue(options: GatedQueueOptions): QueuePort {
  const { port, by, gate, clock, rejects, sent, tell } = options;
  return {
    send: (queue, messages) =>
      gate.pass(by, { name: `queue.send:${queue}` }, async () => {
        const isRejected = rejects(queue) ? (i: number) => i % 2 === 0 : () => false;
        const rejected = messages.filter((_, i) => isRejected(i));
        if (rejected.length > 0)
          tell({
            what: "fault",
            atMs: clock.nowMs(),
            by: by.id,
            call: `queue.send:${queue}`,
            kind: "reject",
          });
        const others = messages.filter((_, i) => !isRejected(i));
        const failed = others.length === 0 ? [] : await port.send(queue, others);
        const refused = new Set(failed.map(({ message }) => message));
        for (const message of others) {
          if (refused.has(message)) continue;
          tell({ what: "offered", atMs: clock.nowMs(), by: by.id, queue, body: message.body });
        }
        sent(queue);
        return [...failed, ...rejected.map((message) => ({ message, reason: "planned" }))];
      }),
  };
}
