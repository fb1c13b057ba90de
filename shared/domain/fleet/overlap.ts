import type { Pod } from "#domain/fleet/pod";
import { groupBy } from "#domain/units/group";
import { matches, type Selector } from "#domain/units/selector";

/** A FederatedHPA and the selector of its target. */
export interface Claim {
  /** `namespace/name` */
  readonly object: string;
  readonly selector: Selector;
}

/**
 * Finds whose pods these are: the objects whose selector matches any of them, in the order of `claims` (B27). Claims are
 * indexed by the label and value that they ask for, so that the cost is pods × labels asked for, not pods × claims.
 */
export function claimants(claims: readonly Claim[]): (pods: Iterable<Pod>) => ReadonlySet<string> {
  const keyed = groupBy(claims, ({ selector }) => namedRequirement(selector)?.key ?? "");
  const general = keyed.get("") ?? [];
  keyed.delete("");
  const indexes = [...keyed].map(([key, sameKey]) => {
    const entries = sameKey.flatMap((claim) =>
      (namedRequirement(claim.selector)?.values ?? []).map((value) => ({ value, claim })),
    );
    return { key, byValue: groupBy(entries, ({ value }) => value) };
  });
  return (pods) => {
    const found = new Set<string>();
    const test = ({ object, selector }: Claim, { labels }: Pod) => {
      if (!found.has(object) && matches(selector, labels)) found.add(object);
    };
    for (const pod of pods) {
      for (const claim of general) test(claim, pod);
      for (const { key, byValue } of indexes) {
        for (const { claim } of byValue.get(pod.labels[key] ?? "") ?? []) test(claim, pod);
      }
    }
    return found;
  };
}

function namedRequirement({ requirements }: Selector) {
  return requirements.find(({ operator }) => operator === "=" || operator === "==" || operator === "in");
}
