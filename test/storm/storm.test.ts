import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";
import { drawPlan } from "./draw-plan.ts";
import type { Fault } from "./fault.ts";
import { INVARIANTS, judge } from "./judge.ts";
import type { Plan } from "./plan.ts";
import { MUTATIONS } from "./planted/mutations.ts";
import { bundleWorker } from "./processes/bundle.ts";
import { readReplay, writeReplay } from "./replay-file.ts";
import { shrink } from "./shrink.ts";
import { runStorm } from "./storm.ts";
import { addTallies, tallyOf } from "./tally.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "storm-"));
afterAll(() => rmSync(directory, { recursive: true }));

describe("a storm", () => {
  const plan = drawPlan("7", 2, 3);

  it("of the same plan is the same, to the last fact, and breaks no invariant", async () => {
    const [first, second] = [await runStorm(plan), await runStorm(plan)];
    const digest = (facts: unknown) =>
      createHash("sha256")
        .update(JSON.stringify(facts, (_key, value) => (typeof value === "bigint" ? String(value) : value)))
        .digest("hex");
    expect(digest(second.facts)).toBe(digest(first.facts));
    expect(judge(first)).toEqual([]);
  });

  it("is rough: things go wrong, and work is done all the same", async () => {
    const tally = tallyOf(plan, await runStorm(plan));
    const twice = addTallies(tally, tally);
    expect(twice.evaluations).toBe(2 * tally.evaluations);
    expect(tally.evaluations).toBeGreaterThan(30);
    expect(tally.scales).toBeGreaterThan(0);
    expect(Object.keys(tally.faults).length).toBeGreaterThan(5);
  });

  it("without faults does everything once: no redelivery, nothing parked, nobody dies", async () => {
    const calm = { ...plan, faults: [] };
    const story = await runStorm(calm);
    expect(judge(story)).toEqual([]);
    expect(tallyOf(calm, story)).toMatchObject({ redeliveries: 0, parked: 0, crashes: 0, timeOuts: 0 });
  });
});

describe("a relay", () => {
  const isStart = (fault: Fault) => fault.kind === "relay" && fault.does === "start";
  const kills = (atSeconds: number): Fault => ({ kind: "relay", does: "kill", which: 0, atSeconds });

  it("is in one of eight plans, and no fault is meant for it in the others", () => {
    const plans = Array.from({ length: 300 }, (_, seed) => drawPlan(String(seed), 5, 6));
    const [having, others] = [true, false].map((has) =>
      plans.filter(({ faults }) => faults.some(isStart) === has),
    ) as [Plan[], Plan[]];
    expect(having.length).toBeGreaterThan(25);
    expect(having.length).toBeLessThan(50);
    const isForIt = (fault: Fault) =>
      fault.kind === "relay" || ("call" in fault && fault.call.startsWith("relay."));
    expect(others.flatMap(({ faults }) => faults.filter(isForIt))).toEqual([]);
  });

  it("that is killed again and again has another come, and what changed meanwhile is told of", async () => {
    const edit = (atSeconds: number): Fault => ({ kind: "goal", object: 0, percent: atSeconds, atSeconds });
    const start: Fault = { kind: "relay", does: "start", holder: 0, atSeconds: 0 };
    const faults = [start, kills(31), edit(32), kills(50), edit(51), kills(70), edit(71)];
    const story = await runStorm({ seed: "relay", minutes: 1, objects: 1, faults });
    expect(judge(story)).toEqual([]);
    const lives = story.facts.flatMap((fact) => (fact.what === "relay" ? [fact.is] : []));
    expect(lives).toEqual(["up", "killed", "up", "killed", "up", "killed", "up"]);
    const edits = story.facts.filter(
      (fact) =>
        fact.what === "published" && fact.event.kind === "FederatedHPA" && fact.event.name === "web-0",
    );
    expect(edits.length).toBeGreaterThanOrEqual(3);
  });
});

describe("planted faults", () => {
  it.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
    "%s: its text is there exactly once",
    (_name, { patches }) => {
      expect(patches.length).toBeGreaterThan(0);
      for (const { file, find, put } of patches) {
        expect(readFileSync(join(PACKAGE, file), "utf8").split(find)).toHaveLength(2);
        expect(put).not.toBe(find);
      }
    },
  );

  it("every invariant has at least one", () => {
    const planted = new Set(MUTATIONS.map(({ invariant }) => invariant));
    expect(Object.keys(INVARIANTS).filter((invariant) => !planted.has(invariant))).toEqual([]);
  });

  it.each([
    [{ file: "shared/app/sweep.ts", find: "nowhere to be found", put: "" }, /has 0 times, not once: nowhere/],
    [{ file: "infra/cost.ts", find: "x", put: "y" }, /infra\/cost\.ts is not part of the storm/],
  ])("%o cannot be planted", async (patch, sentence) => {
    await expect(bundleWorker("storm-test", [patch])).rejects.toThrow(sentence);
  });
});

describe("a failing plan made small", () => {
  const fault = (atSeconds: number): Fault => ({ kind: "recycle", atSeconds });
  const plan: Plan = { seed: "1", minutes: 8, objects: 9, faults: [1, 2, 3, 4, 5, 6, 7].map(fault) };
  const needs =
    (...seconds: readonly number[]) =>
    async ({ faults }: Plan) =>
      seconds.every((at) => faults.some(({ atSeconds }) => atSeconds === at));

  it("keeps the faults that it needs, and no other", async () => {
    const small = await shrink(plan, needs(2, 6), 100);
    expect(small).toEqual({ seed: "1", minutes: 1, objects: 1, faults: [fault(2), fault(6)] });
  });

  it("still fails when the tries run out", async () => {
    const small = await shrink(plan, needs(2, 6), 8);
    expect(await needs(2, 6)(small)).toBe(true);
  });
});

describe("a replay file", () => {
  it("comes back as the plan it was", () => {
    const file = join(directory, "plan.json");
    const plan = drawPlan("3", 1, 2);
    writeReplay(file, { found: "I9 nothing", plan });
    expect(readReplay(file)).toEqual({ found: "I9 nothing", plan });
  });

  it.each([
    ["not JSON", "{", /cannot be read as JSON/],
    ["something else", '{"plan":{"seed":1}}', /has no plan with seed, minutes, objects and faults/],
  ])("%s is refused in one sentence", (_name, text, sentence) => {
    const file = join(directory, "bad.json");
    writeFileSync(file, text);
    expect(() => readReplay(file)).toThrow(sentence);
  });
});

describe("arguments", () => {
  it.each([
    [["--seeds", "0"], /--seeds is 0; give a whole number from 1/],
    [["--processes", "two"], /--processes is two; give a whole number from 1/],
    [["--sedes", "3"], /Unknown option '--sedes'/],
  ])("%j are refused", (args, sentence) => {
    expect(parseArguments(args)).toEqual({ ok: false, fault: expect.stringMatching(sentence) });
  });

  it("default to fifty seeds, and to two hundred for planted faults", () => {
    expect(parseArguments([])).toMatchObject({ value: { seeds: 50, processes: 1, planted: false } });
    expect(parseArguments(["--planted"])).toMatchObject({ value: { seeds: 200, planted: true } });
  });
});
