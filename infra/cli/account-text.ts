import { type AccountSection, account, accountHeading, type Seen } from "#domain/scale/account";
import type { Decision } from "#domain/scale/decision";
import type { SavedDecision } from "#wire/saved-decision";
import { paint } from "./terminal.ts";

/** The account of a decision as a terminal shows it. */
function decisionText(decision: Decision, seen: Seen): string[] {
  return headedText(accountHeading(decision), account(decision, seen));
}

/** A heading, then each part with its title in the margin. */
export function headedText(heading: string, sections: readonly AccountSection[]): string[] {
  const parts = sections.flatMap(({ title, lines }) =>
    lines.map((line, i) => margin(i === 0 ? title : "", line)),
  );
  return [paint("bold", heading), ...parts];
}

/** The same for a decision that was just made from these. */
export function accountText(saved: SavedDecision, decision: Decision): string[] {
  const isNew = saved.history.recommendations.length === 0 && decision.recommended;
  return [
    ...decisionText(decision, saved),
    ...(isNew ? [margin("history", "none was given, so windows and rates begin now; see --history")] : []),
  ];
}

export function margin(title: string, line: string): string {
  return `${paint("dim", title.padEnd(10))}  ${line}`;
}
