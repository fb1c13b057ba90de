import type { Clock } from "#ports/clock";
import type { QueuePort } from "#ports/queue";
import type { Invocation } from "#test/storm/cloud/environments";
import type { Fact } from "#test/storm/facts";
import type { Gate } from "./gate.ts";

/** The queues of one invocation, behind the gate; `sent` moves on what a queue accepted. */
export function gatedQueue(
  port: QueuePort,
  by: Invocation,
  { pass }: Gate,
  clock: Clock,
  sent: (queue: string) => void,
  tell: (fact: Fact) => void,
): QueuePort {
  return {
    send: (queue, messages) =>
      pass(by, { name: `queue.send:${queue}` }, async () => {
        const failed = await port.send(queue, messages);
        const refused = new Set(failed.map(({ message }) => message));
        for (const message of messages) {
          if (refused.has(message)) continue;
          tell({ what: "offered", atMs: clock.nowMs(), by: by.id, queue, body: message.body });
        }
        sent(queue);
        return failed;
      }),
  };
}
