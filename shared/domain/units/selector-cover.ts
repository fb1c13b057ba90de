import { type Requirement, type Selector, selectorText, sortedValues } from "#domain/units/selector";

/**
 * The narrowest selector of the form `key in (…), …` that selects whatever any of `selectors` selects, so that one
 * LIST can serve them all; undefined where they share nothing, and for no selectors at all. It may select more: match
 * each selector against the result again.
 *
 * A key is shared when every selector asks it for named values (`=`, `==`, `in`); its values are the union. A
 * requirement that all of them have word for word (`!canary`) is kept.
 *
 * @example `app=a,tier=web` and `app in (b),!old` share `app in (a,b)`; `app=a` and `tier=web` share nothing.
 */
export function coverSelectors(selectors: readonly Selector[]): Selector | undefined {
  const [first, ...others] = selectors;
  if (first === undefined) return undefined;
  if (others.length === 0) return first.requirements.length === 0 ? undefined : first;

  const covered = new Map<string, Requirement>();
  for (const requirement of first.requirements) {
    const shared = sharedBy(requirement, others);
    if (shared !== undefined) covered.set(selectorText({ requirements: [shared] }), shared);
  }
  return covered.size === 0 ? undefined : { requirements: [...covered.values()] };
}

function sharedBy(requirement: Requirement, others: readonly Selector[]): Requirement | undefined {
  const text = selectorText({ requirements: [requirement] });
  const inAll = others.every((other) =>
    other.requirements.some((candidate) => selectorText({ requirements: [candidate] }) === text),
  );
  if (inAll) return requirement;
  if (!namesValues(requirement)) return undefined;

  const values = new Set(requirement.values);
  for (const other of others) {
    const match = other.requirements.find(
      (candidate) => candidate.key === requirement.key && namesValues(candidate),
    );
    if (match === undefined) return undefined;
    for (const value of match.values) values.add(value);
  }
  return { key: requirement.key, operator: "in", values: sortedValues(values) };
}

function namesValues({ operator }: Requirement): boolean {
  return operator === "=" || operator === "==" || operator === "in";
}
