import { openRouteMemory } from "#app/route/memory";
import { openRoute } from "#app/route/open-route";
import type { Message } from "#ports/queue";
import { parseRouteMessage } from "#wire/work";
import type { World } from "./world.ts";

/** The bus's side of a world: events reach `route`, which holds some back, and what it sends is reconciled. */
export interface EventWorld {
  /** Puts events on the bus, in one batch, and works what follows at once. */
  put(...events: readonly object[]): Promise<void>;
  /** Hands `route` this body as the queue does; what it sends on is not worked yet. */
  route(body: string, receiveCount?: number): Promise<void>;
  /** Lets so much time pass, and has what was held back come when it is due. */
  pass(ms: number): Promise<void>;
  /** The messages that are held back, which then do not come by themselves. */
  takeHeld(): string[];
  /** How many messages are held back. */
  heldBack(): number;
}

const HUB = "local";
let envelopes = 0;

/** An event as a rule puts it on the queue. */
export function envelope(source: string, detailType: string, detail: object, more: object = {}): object {
  envelopes += 1;
  return {
    ...{ version: "0", id: `envelope-${envelopes}`, source, "detail-type": detailType, detail },
    ...{ account: "000000000000", region: "us-east-1", time: "2026-03-01T09:00:00Z", resources: [] },
    ...more,
  };
}

export const requested = (detail: object) =>
  envelope("mainsheet", "ReconcileRequested", { v: 1, hub: HUB, ...detail });
export const changed = (detail: object) =>
  envelope("mainsheet", "ObjectChanged", { v: 1, hub: HUB, change: "modified", ...detail });
export const alarm = (alarmName: string) =>
  envelope("aws.cloudwatch", "CloudWatch Alarm State Change", { alarmName, state: { value: "ALARM" } });

export function eventWorld(world: World): EventWorld {
  const { clock, queue } = world;
  let memory = openRouteMemory(clock);
  const held: { readonly dueMs: number; readonly message: Message }[] = [];

  async function work(bodies: readonly string[], receiveCount = 1): Promise<void> {
    const workOne = openRoute({ ...world.deps, memory, hubs: [HUB] });
    try {
      await Promise.all(
        bodies.map((body) => {
          const parsed = parseRouteMessage(body);
          if (!parsed.ok) throw new Error(parsed.fault);
          return workOne(parsed.value, { receiveCount });
        }),
      );
    } catch (error) {
      // Another environment takes over, which remembers nothing.
      memory = openRouteMemory(clock);
      hold();
      throw error;
    }
    hold();
  }

  /** What `route` sent itself, before it died perhaps, is in the queue. */
  function hold(): void {
    for (const message of queue.take("route"))
      held.push({ message, dueMs: clock.nowMs() + (message.delaySeconds ?? 0) * 1000 });
  }

  return {
    async put(...events) {
      await work(events.map((event) => JSON.stringify(event)));
      await world.deliver();
    },
    route: (body, receiveCount) => work([body], receiveCount),
    takeHeld: () => held.splice(0).map(({ message }) => message.body),
    heldBack: () => held.length,
    async pass(ms) {
      const untilMs = clock.nowMs() + ms;
      while (true) {
        const [next] = held.toSorted((a, b) => a.dueMs - b.dueMs);
        if (next === undefined || next.dueMs > untilMs) break;
        held.splice(held.indexOf(next), 1);
        clock.advance(next.dueMs - clock.nowMs());
        world.fleet.step(clock.nowMs());
        await work([next.message.body]);
        await world.deliver();
      }
      clock.advance(untilMs - clock.nowMs());
      world.fleet.step(clock.nowMs());
    },
  };
}
