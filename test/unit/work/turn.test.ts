import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { onEvent, onLater, type Turn } from "#domain/work/turn";

const FLOOR = 3_000;
const sent = (sentMs: number, eventId = "e0", as = eventId): Turn => ({ sentMs, eventId, as });
const waiting = (sentMs: number, eventId = "e1"): Turn => ({
  ...sent(sentMs),
  pending: { untilMs: sentMs + FLOOR, eventId },
});

describe("an event", () => {
  it.each([
    ["the first one is sent at once", undefined, 0, { do: "send", turn: sent(0, "e2") }],
    ["within the floor it waits for its end", sent(0), 1_000, { do: "wait", turn: waiting(0, "e2") }],
    ["while another waits, nothing more is sent", waiting(0), 2_999, { do: "nothing" }],
    ["at the floor's end it is sent", sent(0), 3_000, { do: "send", turn: sent(3_000, "e2") }],
    [
      "and stands for what waits, if that is late, under its id",
      waiting(0),
      3_000,
      { do: "send", turn: sent(3_000, "e2", "e1~later") },
    ],
    [
      "a copy of the one that was sent may be the first that lives to send it: it is, again (storm seed 112)",
      sent(0, "e2"),
      1_000,
      { do: "send-again", as: "e2" },
    ],
    ["a copy of it after the floor, too", sent(0, "e2"), 9_000, { do: "send-again", as: "e2" }],
    [
      "a copy of the waiting one may be the first that was never held back: it is, again",
      waiting(0, "e2"),
      1_000,
      { do: "wait-again", pending: waiting(0, "e2").pending },
    ],
    [
      "a turn in the future was written by a wrong clock",
      sent(10_000),
      0,
      { do: "send", turn: sent(0, "e2") },
    ],
    ["a clock a little ahead is none", sent(100), 0, { do: "wait", turn: waiting(100, "e2") }],
  ])("%s", (_name, former, nowMs, step) => {
    expect(onEvent(former, { eventId: "e2", isRedelivered: false, nowMs }, FLOOR)).toEqual(step);
  });

  it("delivered again, it may have died before it was sent: it is, again", () => {
    const again = { eventId: "e2", isRedelivered: true, nowMs: 60_000 };
    expect(onEvent(sent(0, "e2"), again, FLOOR)).toEqual({ do: "send-again", as: "e2" });
    expect(onEvent(sent(0, "e2", "e2~later"), again, FLOOR)).toEqual({ do: "send-again", as: "e2~later" });
  });
});

describe("the later message", () => {
  it.each([
    ["sends for the evaluation", waiting(0), false, { do: "send", turn: sent(3_100, "e1", "e1~later") }],
    ["means nothing when an event came first", sent(3_050), false, { do: "nothing" }],
    ["means nothing when another is pending", waiting(3_050, "e3"), false, { do: "nothing" }],
    [
      "sends when the turn is read from before it waited: its write conflicts, and it is read again (storm seed 152)",
      sent(0),
      false,
      { do: "send", turn: sent(3_100, "e1", "e1~later") },
    ],
    ["and when no turn is there yet", undefined, false, { do: "send", turn: sent(3_100, "e1", "e1~later") }],
    [
      "delivered again it is sent again: its invocation may have died before",
      sent(3_050, "e1"),
      true,
      { do: "send-again", as: "e1~later" },
    ],
  ])("%s", (_name, former, isRedelivered, step) => {
    expect(onLater(former, { eventId: "e1", isRedelivered, nowMs: 3_100 }, 3_000)).toEqual(step);
  });
});

describe("the later message by a clock that is behind", () => {
  it("counts from the floor's end, so that its copy means nothing (storm seed 129)", () => {
    const arrival = { eventId: "e1", isRedelivered: false, nowMs: 2_100 };
    const first = onLater(waiting(0), arrival, 3_000);
    expect(first).toEqual({ do: "send", turn: sent(3_000, "e1", "e1~later") });
    expect(onLater(sent(3_000, "e1"), arrival, 3_000)).toEqual({ do: "nothing" });
  });
});

describe("whatever comes when", () => {
  it("sends are a floor apart, and after each event there is one within the floor", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1_000, max: 10_000 }),
        fc.integer({ min: 0, max: 900 }),
        (given, floorMs, lateMs) => {
          const arrivals: number[] = [];
          for (const gap of given) arrivals.push((arrivals.at(-1) ?? 0) + gap);
          const sends: number[] = [];
          const laters: { atMs: number; untilMs: number; eventId: string }[] = [];
          let turn: Turn | undefined;
          const act = (step: ReturnType<typeof onEvent>, nowMs: number) => {
            if ("turn" in step) turn = step.turn;
            if (step.do === "send") sends.push(nowMs);
            if (step.do === "wait")
              laters.push({ ...step.turn.pending, atMs: step.turn.pending.untilMs + lateMs });
          };
          const due = (nowMs: number) => {
            for (const later of laters.filter(({ atMs }) => atMs <= nowMs)) {
              laters.splice(laters.indexOf(later), 1);
              const { eventId, untilMs, atMs: thenMs } = later;
              act(onLater(turn, { eventId, isRedelivered: false, nowMs: thenMs }, untilMs), thenMs);
            }
          };
          arrivals.forEach((atMs, i) => {
            due(atMs);
            act(onEvent(turn, { eventId: `e${i}`, isRedelivered: false, nowMs: atMs }, floorMs), atMs);
          });
          due(Number.POSITIVE_INFINITY);
          sends.forEach((atMs, i) => {
            expect(i === 0 || atMs - (sends[i - 1] ?? 0) >= floorMs).toBe(true);
          });
          for (const atMs of arrivals)
            expect(sends.some((sentMs) => sentMs >= atMs && sentMs <= atMs + floorMs + lateMs)).toBe(true);
        },
      ),
    );
  });
});
