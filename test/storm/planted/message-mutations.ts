import type { Mutation } from "./mutation.ts";

/** What could go wrong with messages and events. */
export const MESSAGE_MUTATIONS: readonly Mutation[] = [
  {
    name: "failure-acknowledged",
    invariant: "I7",
    says: "a message that failed is deleted",
    patches: [
      {
        file: "shared/lambda/sqs-batch.ts",
        find: "return group.slice(i).map((entry) => ({ itemIdentifier: entry.record.messageId }));",
        put: "return [];",
      },
    ],
  },
  {
    name: "mark-before-send",
    invariant: "I7",
    says: "a slot is marked as swept before its shards are sent",
    patches: [
      {
        file: "shared/app/sweep.ts",
        find: "  const failed = await deps.queue.send(\n",
        put:
          '  await deps.table.put({ ...mark, ttl: Math.ceil(nowMs / 1000) + 900 }, { if: "none" });\n' +
          "  const failed = await deps.queue.send(\n",
      },
    ],
  },
  {
    name: "unparked",
    invariant: "I7",
    says: "a dead letter that the table did not take is deleted",
    patches: [
      {
        file: "shared/lambda/dead-letters.ts",
        find: "return [{ itemIdentifier: record.messageId }];",
        put: "return [];",
      },
    ],
  },
  {
    name: "rejected-not-sent-again",
    invariant: "I7",
    says: "a slot is marked as swept though the queue did not take all shards",
    patches: [
      {
        file: "shared/app/sweep.ts",
        find: "  if (failed.length > 0) {\n",
        put: "  if (failed.length > 1_000) {\n",
      },
    ],
  },
  {
    name: "trailing-event-dropped",
    invariant: "I7",
    says: "an event within an object's floor is dropped",
    patches: [
      {
        file: "shared/app/route/take-turn.ts",
        find: 'else if (step.do === "wait") await sendLater(deps, id, step.turn.pending);',
        put: 'else if (step.do === "wait") return;',
      },
    ],
  },
  {
    name: "no-floor",
    invariant: "I7",
    says: "events have an object evaluated as often as they come",
    patches: [
      {
        file: "shared/domain/work/turn.ts",
        find: "if (nowMs - sentMs >= floorMs) {",
        put: "if (nowMs >= sentMs) {",
      },
    ],
  },
  {
    name: "turn-without-condition",
    invariant: "I7",
    says: "an object's turn is stored whatever another invocation made of it",
    patches: [
      {
        file: "shared/wire/turn.ts",
        find: 'return version === 0 ? { if: "absent" } : { if: "version", is: version };',
        put: 'return version === 0 ? { if: "none" } : { if: "none" };',
      },
    ],
  },
];
