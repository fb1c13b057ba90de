import { nextOccurrence } from "#domain/cron/occurrences";
import { parseTimetable, type Timetable } from "#domain/cron/timetable";
import type { CronRuleObject } from "#domain/spec/cron-federated-hpa-object";
import {
  type CronAnswer,
  type CronHandleInput,
  type CronSpec,
  type CronStep,
  type ExecutionAnswer,
  timeText,
} from "#test/golden/cronhandle/input";
import { ReferenceTargets } from "#test/golden/cronhandle/reference-targets";
import type { LedgerId } from "#test/golden/ledger-id";

/**
 * Karmada's CronFederatedHPA controller as semantics 4.2 tells it, with a switch for every entry of the ledger that it
 * meets. Without any it gives Karmada's answers, panics and lost entries included.
 *
 * - `D-24` a run that failed on conflicts is tried again each minute, up to ten
 * - `D-25` success Events; scheduleTime is the rule's instant; a status that could not be written is written later; a
 *   rule that cannot be started tells it and stops no other; a limit of 0 keeps none; a rule without a target is a
 *   failure, a FederatedHPA without minReplicas gets one
 */
export function referenceAnswers(input: CronHandleInput, on: ReadonlySet<LedgerId>): readonly CronAnswer[] {
  const controller = new Controller(input, on);
  return input.steps.map((step) => controller.step(step));
}

interface Executor {
  readonly rule: CronRuleObject;
  readonly timetable: Timetable;
  nextMs: number;
}

interface History {
  readonly ruleName: string;
  nextMs: number | undefined;
  succeeded: ExecutionAnswer[];
  failed: ExecutionAnswer[];
}

/** A run that is to be told. */
interface Ended {
  readonly rule: CronRuleObject;
  readonly instantMs: number;
  readonly executionMs: number;
  readonly ok: boolean;
}

interface Retry {
  readonly rule: CronRuleObject;
  readonly instantMs: number;
  readonly atMs: number;
}

const MINUTE_MS = 60_000;
const DEADLINE_MS = 10 * MINUTE_MS;
const HISTORY_LIMIT = 3;

class Controller {
  readonly #on: ReadonlySet<LedgerId>;
  readonly #targets: ReferenceTargets;
  readonly #executors = new Map<string, Executor>();
  #nowMs: number;
  #spec: CronSpec | undefined;
  #histories: History[] = [];
  #events: string[] = [];
  #untold: Ended[] = [];
  #retries: Retry[] = [];

  constructor(input: CronHandleInput, on: ReadonlySet<LedgerId>) {
    this.#on = on;
    this.#targets = new ReferenceTargets(input.objects, on.has("D-25"));
    this.#nowMs = Date.parse(input.start);
  }

  step(step: CronStep): CronAnswer {
    this.#events = [];
    if (step.runAt !== undefined && step.apply) this.#apply(step.apply.spec);
    this.#targets.suffer(step);
    const endMs = this.#nowMs + step.advanceSeconds * 1000;
    for (let atMs = this.#nextInstant(); atMs <= endMs; atMs = this.#nextInstant()) {
      this.#nowMs = atMs;
      this.#runAll(step.statusUpdateError !== undefined);
    }
    this.#nowMs = endMs;
    this.#targets.suffer({});
    if (step.create) this.#targets.create(step.create);
    this.#targets.setReplicas(step.set?.deployments ?? {});
    if (step.delete) this.#delete();
    if (step.runAt === undefined && step.apply) this.#apply(step.apply.spec);
    return {
      ...this.#targets.answer(),
      histories: this.#histories.map(({ ruleName, nextMs, succeeded, failed }) => ({
        ruleName,
        next: timeText(nextMs),
        succeeded,
        failed,
      })),
      events: this.#events,
    };
  }

  /** When something happens next: a rule, a retry, or the minute in which an untold run is told. */
  #nextInstant(): number {
    const told = this.#untold.length === 0 ? [] : [(Math.floor(this.#nowMs / MINUTE_MS) + 1) * MINUTE_MS];
    return Math.min(
      Number.POSITIVE_INFINITY,
      ...[...this.#executors.values()].map(({ nextMs }) => nextMs),
      ...this.#retries.map(({ atMs }) => atMs),
      ...told,
    );
  }

  #apply(spec: CronSpec): void {
    const moved = JSON.stringify(this.#spec?.scaleTargetRef) !== JSON.stringify(spec.scaleTargetRef);
    this.#spec = spec;
    this.#retries = this.#retries.filter(({ rule }) => spec.rules.some((each) => isSame(each, rule)));
    for (const rule of spec.rules) {
      const running = this.#executors.get(rule.name)?.rule;
      if (!moved && running !== undefined && isSame(running, rule)) continue;
      this.#executors.delete(rule.name);
      if (!rule.suspend) {
        const timetable = parseTimetable(rule, this.#nowMs);
        if (!timetable.ok) {
          this.#events.push("Warning/StartRuleFailed");
          if (!this.#on.has("D-25")) return;
          this.#historyOf(rule).nextMs = undefined;
          this.#insert({ rule, instantMs: this.#nowMs, executionMs: this.#nowMs, ok: false });
          continue;
        }
        const nextMs = nextOccurrence(timetable.value, this.#nowMs) ?? Number.POSITIVE_INFINITY;
        this.#executors.set(rule.name, { rule, timetable: timetable.value, nextMs });
      }
      this.#historyOf(rule).nextMs = this.#executors.get(rule.name)?.nextMs;
    }
    for (const name of this.#executors.keys()) if (!this.#isInSpec(name)) this.#executors.delete(name);
    this.#histories = this.#histories.filter(({ ruleName }) => this.#isInSpec(ruleName));
    this.#untold = this.#untold.filter(({ rule }) => this.#isInSpec(rule.name));
  }

  #delete(): void {
    this.#executors.clear();
    this.#spec = undefined;
    this.#histories = [];
    this.#untold = [];
    this.#retries = [];
  }

  /** Runs what is due at this instant, retries first; in Karmada there is never more than one. */
  #runAll(statusFails: boolean): void {
    const due: Retry[] = this.#retries.filter(({ atMs }) => atMs === this.#nowMs);
    this.#retries = this.#retries.filter((retry) => !due.includes(retry));
    for (const executor of this.#executors.values()) {
      if (executor.nextMs !== this.#nowMs) continue;
      due.push({ rule: executor.rule, instantMs: this.#nowMs, atMs: this.#nowMs });
      executor.nextMs = nextOccurrence(executor.timetable, this.#nowMs) ?? Number.POSITIVE_INFINITY;
    }
    if (due.length > 0) this.#runTogether(due);
    this.#tell(due, statusFails);
  }

  #runTogether(due: readonly Retry[]): void {
    const { scaleTargetRef } = this.#spec as CronSpec;
    const result = this.#targets.run(
      scaleTargetRef,
      due.map(({ rule }) => rule),
    );
    for (const { rule, instantMs } of due) {
      const ended = { rule, instantMs, executionMs: this.#nowMs };
      if (result === "panicked") {
        this.#untold.push({ ...ended, ok: true });
      } else if (result === "done") {
        if (this.#on.has("D-25")) this.#events.push("Normal/ScaleSucceeded");
        this.#untold.push({ ...ended, ok: true });
      } else if (result === "conflict" && this.#on.has("D-24") && this.#nowMs <= instantMs + DEADLINE_MS) {
        if (instantMs === this.#nowMs) this.#events.push("Warning/ScaleFailed");
        this.#retries.push({ rule, instantMs, atMs: this.#nowMs + MINUTE_MS });
      } else {
        this.#events.push("Warning/ScaleFailed");
        this.#untold.push({ ...ended, ok: false });
      }
    }
  }

  #tell(due: readonly Retry[], statusFails: boolean): void {
    if (this.#untold.length === 0) {
      for (const { rule } of due) this.#historyOf(rule).nextMs = this.#executors.get(rule.name)?.nextMs;
      return;
    }
    if (statusFails) {
      if (due.length > 0) this.#events.push("Warning/UpdateStatusFailed");
      if (!this.#on.has("D-25")) this.#untold = [];
      return;
    }
    const untold = this.#untold;
    this.#untold = [];
    for (const ended of untold) {
      if (!this.#on.has("D-25") && limitOf(ended) === 0) continue;
      this.#insert(ended);
      this.#historyOf(ended.rule).nextMs = this.#executors.get(ended.rule.name)?.nextMs;
    }
  }

  #insert(ended: Ended): void {
    const { rule, instantMs, executionMs, ok } = ended;
    const history = this.#historyOf(rule);
    const scheduleMs = this.#on.has("D-25") ? instantMs : (history.nextMs ?? instantMs);
    const times = {
      scheduleTime: timeText(scheduleMs) as string,
      executionTime: timeText(executionMs) as string,
    };
    const limit = limitOf(ended);
    if (ok) history.succeeded = [{ ...times, ...applied(rule) }, ...history.succeeded].slice(0, limit);
    else history.failed = [times, ...history.failed].slice(0, limit);
  }

  #historyOf({ name }: CronRuleObject): History {
    const found = this.#histories.find(({ ruleName }) => ruleName === name);
    if (found !== undefined) return found;
    const history: History = { ruleName: name, nextMs: undefined, succeeded: [], failed: [] };
    this.#histories.push(history);
    return history;
  }

  #isInSpec(name: string): boolean {
    return this.#spec?.rules.some((rule) => rule.name === name) ?? false;
  }
}

function limitOf({ rule, ok }: Ended): number {
  return (ok ? rule.successfulHistoryLimit : rule.failedHistoryLimit) ?? HISTORY_LIMIT;
}

function applied({ targetReplicas, targetMinReplicas, targetMaxReplicas }: CronRuleObject) {
  return {
    ...(targetReplicas === undefined ? {} : { appliedReplicas: targetReplicas }),
    ...(targetMinReplicas === undefined ? {} : { appliedMinReplicas: targetMinReplicas }),
    ...(targetMaxReplicas === undefined ? {} : { appliedMaxReplicas: targetMaxReplicas }),
  };
}

function isSame(a: CronRuleObject, b: CronRuleObject): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
