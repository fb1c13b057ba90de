import { type AccountSection, account, accountHeading } from "#domain/scale/account";
import type { DecisionRecord, ShadowMark } from "#wire/decision-record";
import { recordId } from "#wire/record-id";
import type { Loaded } from "#wire/saved-decision";

/** Why a decision was what it was, as every reader of the ledger tells it. */
export interface RecordAccount {
  readonly heading: string;
  readonly sections: readonly AccountSection[];
}

/** The account of a decision on record, ending in what came of it and the record's name; or why it has none. */
export function recordAccount(record: DecisionRecord): Loaded<RecordAccount> {
  const { id, atMs, result, message, code, decision, inputs, shadow } = record;
  const name = recordId({ ...id, atMs });
  if (decision === undefined) {
    const why = inputs.replayable ? "" : `: ${inputs.why}`;
    return { ok: false, fault: `${name} is on record without its account${why}` };
  }
  const sections = [
    ...account(decision, inputs.replayable ? inputs.saved : undefined),
    { title: "result", lines: [message === undefined ? result : `${result}: ${message}`] },
    ...(shadow === undefined ? [] : [shadowSection(shadow)]),
    {
      title: "record",
      lines: [
        `${name}, decided by version ${code}`,
        ...(inputs.replayable ? [] : [`it cannot be decided again: ${inputs.why}`]),
      ],
    },
  ];
  return { ok: true, value: { heading: accountHeading(decision), sections } };
}

function shadowSection({ configMap, real }: ShadowMark): AccountSection {
  return {
    title: "shadow",
    lines: [`by ConfigMap ${configMap}, never applied`, `the real one: ${real.summary}`],
  };
}
