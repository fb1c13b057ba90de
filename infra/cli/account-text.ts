import { account } from "#domain/scale/account";
import type { Decision } from "#domain/scale/decision";
import { formatInstant } from "#domain/units/instant";
import type { SavedDecision } from "#wire/saved-decision";
import { paint } from "./terminal.ts";

/** The account of a decision as a terminal shows it: a heading, then each part with its title in the margin. */
export function accountText({ snapshot, history, policy }: SavedDecision, decision: Decision): string[] {
  const { namespace, name, generation, instantMs } = decision;
  const head = `FederatedHPA ${namespace}/${name}, generation ${generation}, at ${formatInstant(instantMs)}`;
  const sections = account(decision, { snapshot, policy }).flatMap(({ title, lines }) =>
    lines.map((line, i) => margin(i === 0 ? title : "", line)),
  );
  const isNew = history.recommendations.length === 0 && decision.recommended;
  return [
    paint("bold", head),
    ...sections,
    ...(isNew ? [margin("history", "none was given, so windows and rates begin now; see --history")] : []),
  ];
}

export function margin(title: string, line: string): string {
  return `${paint("dim", title.padEnd(10))}  ${line}`;
}
