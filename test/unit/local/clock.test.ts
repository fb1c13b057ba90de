import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RANK, virtualClock } from "#infra/local/clock";
import { realClock } from "#infra/local/real-clock";

const START = Date.parse("2026-11-30T12:00:00Z");

describe("virtual clock", () => {
  it("stands still until it is run, then goes from timer to timer up to the end", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: number[] = [];
    clock.at(START + 20, () => seen.push(clock.nowMs()));
    clock.at(START + 10, () => seen.push(clock.nowMs()));
    clock.at(START + 31, () => seen.push(clock.nowMs()));
    expect(clock.nowMs()).toBe(START);
    await clock.runUntil(START + 30);
    expect(seen).toEqual([START + 10, START + 20]);
    expect(clock.nowMs()).toBe(START + 30);
    await clock.runUntil(START + 31);
    expect(seen).toHaveLength(3);
  });

  it("timers of one instant run by rank, then in the order they were asked for", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: string[] = [];
    clock.at(START + 5, () => seen.push("cloud 1"), RANK.cloud);
    clock.at(START + 5, () => seen.push("world 1"));
    clock.at(START + 5, () => seen.push("cloud 2"), RANK.cloud);
    clock.at(START + 5, () => seen.push("world 2"));
    await clock.runUntil(START + 5);
    expect(seen).toEqual(["world 1", "world 2", "cloud 1", "cloud 2"]);
  });

  it("a timer of the past runs at the present instant, before anything later", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: [string, number][] = [];
    clock.at(START + 10, () => {
      clock.at(START + 1, () => seen.push(["late", clock.nowMs() - START]));
    });
    clock.at(START + 11, () => seen.push(["next", clock.nowMs() - START]));
    await clock.runUntil(START + 20);
    expect(seen).toEqual([
      ["late", 10],
      ["next", 11],
    ]);
  });

  it("a cancelled timer never runs, its neighbours do", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: string[] = [];
    clock.at(START + 5, () => seen.push("a"));
    const b = clock.at(START + 5, () => seen.push("b"));
    clock.at(START + 5, () => seen.push("c"));
    b.cancel();
    b.cancel();
    await clock.runUntil(START + 10);
    expect(seen).toEqual(["a", "c"]);
  });

  it("what a timer began and everything held is finished before the next timer, also of the same instant", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: string[] = [];
    clock.at(START + 5, async () => {
      await sleep(5);
      seen.push(`run ended at ${clock.nowMs() - START}`);
      const release = clock.hold();
      setTimeout(() => {
        seen.push(`hold ended at ${clock.nowMs() - START}`);
        release();
      }, 10);
    });
    clock.at(START + 5, () => seen.push("same instant"));
    clock.at(START + 6, () => seen.push("next instant"));
    await clock.runUntil(START + 10);
    expect(seen).toEqual(["run ended at 5", "hold ended at 5", "same instant", "next instant"]);
  });

  it("a hold taken by whoever waited for the last one still stops time", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: string[] = [];
    clock.at(START + 1, () => {
      const first = clock.hold();
      sleep(2).then(() => {
        first();
        Promise.resolve().then(() => {
          const second = clock.hold();
          setTimeout(() => {
            seen.push("second");
            second();
          }, 5);
        });
      });
    });
    clock.at(START + 2, () => seen.push("next"));
    await clock.runUntil(START + 3);
    expect(seen).toEqual(["second", "next"]);
  });

  it("a hold released twice counts once", async () => {
    const clock = virtualClock({ startMs: START });
    const seen: string[] = [];
    clock.at(START + 1, () => {
      const a = clock.hold();
      const b = clock.hold();
      a();
      a();
      setTimeout(() => {
        seen.push("b");
        b();
      }, 5);
    });
    clock.at(START + 2, () => seen.push("next"));
    await clock.runUntil(START + 2);
    expect(seen).toEqual(["b", "next"]);
  });

  it("with a speed, it is where wall time times speed says, and never early", async () => {
    const clock = virtualClock({ startMs: START, speed: 1_000 });
    const wallStart = performance.now();
    const wall: number[] = [];
    for (const s of [10, 20, 50]) clock.at(START + s * 1_000, () => wall.push(performance.now() - wallStart));
    await clock.runUntil(START + 60_000);
    const took = performance.now() - wallStart;
    for (const [index, due] of [10, 20, 50].entries()) expect(wall[index]).toBeGreaterThanOrEqual(due - 0.5);
    expect(took).toBeGreaterThanOrEqual(59.5);
    expect(took).toBeLessThan(1_000);
  });

  it("between timers, someone from outside sees time pass, but never past a timer that has not run", async () => {
    const clock = virtualClock({ startMs: START, speed: 100 });
    let ran = false;
    clock.at(START + 4_000, () => {
      ran = true;
    });
    const end = clock.runUntil(START + 5_000);
    await sleep(15);
    const early = clock.nowMs();
    expect(early).toBeGreaterThan(START + 1_000);
    while (!ran) {
      expect(clock.nowMs()).toBeLessThanOrEqual(START + 4_000);
      await sleep(1);
    }
    await end;
    expect(clock.nowMs()).toBe(START + 5_000);
  });

  it("a timer asked for while it sleeps is not slept over", async () => {
    const clock = virtualClock({ startMs: START, speed: 100 });
    const end = clock.runUntil(START + 10_000);
    await sleep(5);
    let seenAt = 0;
    clock.at(START + 2_000, () => {
      seenAt = clock.nowMs();
    });
    await end;
    expect(seenAt).toBe(START + 2_000);
  });

  it("slow work makes it fall behind, never skip: the order and instants are those of a fast run", async () => {
    const trace = async (speed: number | undefined, workMs: number) => {
      const clock = virtualClock({ startMs: START, ...(speed !== undefined && { speed }) });
      const seen: string[] = [];
      const every = (name: string, periodMs: number) => {
        const fire = () => {
          seen.push(`${name} ${clock.nowMs() - START}`);
          const release = clock.hold();
          setTimeout(release, workMs);
          clock.at(clock.nowMs() + periodMs, fire);
        };
        clock.at(START + periodMs, fire);
      };
      every("a", 300);
      every("b", 500);
      await clock.runUntil(START + 3_000);
      return seen;
    };
    const asFastAsPossible = await trace(undefined, 0);
    expect(asFastAsPossible).toHaveLength(16);
    expect(await trace(100, 5)).toEqual(asFastAsPossible);
    expect(await trace(1_000, 1)).toEqual(asFastAsPossible);
  });

  it("runs any set of timers in order of instant, rank and request", async () => {
    const timer = fc.record({ at: fc.integer({ min: 0, max: 20 }), rank: fc.integer({ min: 0, max: 2 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(timer), fc.array(fc.nat()), async (timers, cancelled) => {
        const clock = virtualClock({ startMs: START });
        const seen: number[] = [];
        const handles = timers.map((t, index) => clock.at(START + t.at, () => seen.push(index), t.rank));
        for (const index of cancelled) handles[index]?.cancel();
        await clock.runUntil(START + 20);
        const expected = timers
          .map((t, index) => ({ ...t, index }))
          .filter(({ index }) => !cancelled.includes(index))
          .sort((a, b) => a.at - b.at || a.rank - b.rank || a.index - b.index)
          .map(({ index }) => index);
        expect(seen).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it("stop ends the run at once, though something is held, and no timer runs any more", async () => {
    const clock = virtualClock({ startMs: START });
    clock.at(START + 1, () => {
      clock.hold();
    });
    clock.at(START + 2, () => {
      throw new Error("ran after stop");
    });
    const end = clock.runUntil(START + 10);
    await sleep(5);
    clock.stop();
    await end;
    await clock.runUntil(START + 10);
    expect(clock.nowMs()).toBe(START + 1);
  });

  it("what a timer throws ends the run", async () => {
    const clock = virtualClock({ startMs: START });
    clock.at(START + 1, async () => {
      throw new Error("broken");
    });
    await expect(clock.runUntil(START + 2)).rejects.toThrow("broken");
  });

  it("cannot be run twice at the same time", async () => {
    const clock = virtualClock({ startMs: START, speed: 1 });
    const end = clock.runUntil(START + 100_000);
    await expect(clock.runUntil(START + 5)).rejects.toThrow("running already");
    clock.stop();
    await end;
  });
});

describe("real clock", () => {
  it("says the wall's time, fires when due and holds nothing", async () => {
    const clock = realClock();
    const start = Date.now();
    clock.hold();
    let firedAt = 0;
    clock.at(start + 20, () => {
      firedAt = Date.now();
    });
    const cancelled = clock.at(start + 5, () => {
      throw new Error("cancelled, yet ran");
    });
    cancelled.cancel();
    await clock.runUntil(start + 30);
    expect(firedAt).toBeGreaterThanOrEqual(start + 20);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(start + 30);
    clock.stop();
  });

  it("what a timer throws ends the run, also one that fired before it", async () => {
    const clock = realClock();
    clock.at(Date.now() + 1, () => Promise.reject(new Error("broken")));
    await expect(clock.runUntil(Date.now() + 1_000)).rejects.toThrow("broken");
    await expect(clock.runUntil(Date.now() + 1_000)).rejects.toThrow("broken");
    clock.stop();
  });

  it("stop ends the run and drops its timers", async () => {
    const clock = realClock();
    clock.at(Date.now() + 10, () => {
      throw new Error("ran after stop");
    });
    const end = clock.runUntil(Number.POSITIVE_INFINITY);
    clock.stop();
    await end;
    await sleep(15);
    await clock.runUntil(Date.now() + 1_000);
  });
});
