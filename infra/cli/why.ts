import { Command } from "commander";
import { decisionInForce, listFailures, shadowInForce } from "#app/ledger/read-ledger";
import { recordAccount } from "#app/ledger/record-account";
import { account } from "#domain/scale/account";
import { countText } from "#domain/units/count-text";
import { formatInstant } from "#domain/units/instant";
import type { ObjectKey } from "#domain/work/shards";
import type { DecisionRecord } from "#wire/decision-record";
import type { FailureRecord } from "#wire/failure-record";
import { encodeJson } from "#wire/json";
import { recordId } from "#wire/record-id";
import { headedText, margin } from "./account-text.ts";
import { instant } from "./arguments.ts";
import { CliError } from "./exit.ts";
import { inState, type StateOptions, withPlace } from "./in-state.ts";
import { knownObject, ledgerOf, wholeRecord } from "./ledger-state.ts";
import { pastObject } from "./object-argument.ts";
import type { StateConnection } from "./state-connection.ts";
import { print } from "./terminal.ts";

interface WhyOptions extends StateOptions {
  readonly at?: number;
  readonly shadow: boolean;
}

/** `mainsheet why`: the account of the decision that was in force at an instant. */
export function whyCommand(): Command {
  return withPlace(new Command("why"), "the hub, where several know the object")
    .description("The account of the decision in force: the numbers, who was missing, what limited it.")
    .addArgument(pastObject())
    .option("--at <instant>", "the instant, like 2026-03-01T08:25:00Z (default: now)", instant)
    .option("--shadow", "what its shadow decided, instead of the real one", false)
    .action((object: ObjectKey, options: WhyOptions) =>
      inState(options, (state) => runWhy(state, object, options)),
    );
}

async function runWhy(
  state: StateConnection,
  object: ObjectKey,
  { at, shadow, json }: WhyOptions,
): Promise<void> {
  const reader = ledgerOf(state);
  const id = await knownObject(state, reader, object);
  const atMs = at ?? reader.nowMs;
  const item = await (shadow ? shadowInForce : decisionInForce)(reader, id, atMs);
  if (item === undefined) {
    const when = at === undefined ? "" : ` at or before ${formatInstant(at)}`;
    throw new CliError(
      "refused",
      `no decision of ${shadow ? "the shadow of " : ""}${object.namespace}/${object.name} is on record${when}; they are kept for LEDGER_DAYS, 14 by default`,
    );
  }
  const record = await wholeRecord(reader, id, item);
  const failures = await listFailures(reader, id, record.atMs + 1, atMs);
  const lines = json ? [jsonOf(record, failures)] : [...whyText(record), ...sinceText(failures)];
  for (const line of lines) print(line);
}

/** Evaluations after the decision that came to none: it is still in force, but not for want of trying. */
export function sinceText(failures: readonly FailureRecord[]): string[] {
  const last = failures.at(-1);
  if (last === undefined) return [];
  const minutes = countText(failures.length, "minute");
  return [
    margin(
      "since then",
      `in ${minutes} nothing could be decided, last at ${formatInstant(last.atMs)}: ${last.message}`,
    ),
  ];
}

/** What a terminal shows of a record. */
export function whyText(record: DecisionRecord): string[] {
  const told = recordAccount(record);
  if (!told.ok) throw new CliError("refused", told.fault);
  return headedText(told.value.heading, told.value.sections);
}

function jsonOf(
  { id, atMs, decision, inputs, ...record }: DecisionRecord,
  failures: readonly FailureRecord[],
): string {
  const sections =
    decision === undefined ? [] : account(decision, inputs.replayable ? inputs.saved : undefined);
  const text = encodeJson({
    id: recordId({ ...id, atMs }),
    hub: id.hub,
    at: formatInstant(atMs),
    ...record,
    replayable: inputs.replayable,
    account: sections,
    decision,
    failuresSince: failures.map(({ atMs, ...failure }) => ({ at: formatInstant(atMs), ...failure })),
  });
  if (text.ok) return text.value;
  throw new CliError("refused", `the record has no JSON: ${text.fault.detail}`);
}
