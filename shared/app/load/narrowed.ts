import { type Selector, selectorText } from "#domain/units/selector";
import { coverSelectors } from "#domain/units/selector-cover";
import type { ListQuery } from "#ports/kubernetes";
import { MAX_SELECTOR_LENGTH } from "./context.ts";

/** A list of a namespace, narrowed to what all these selectors have in common where that fits into a URL. */
export function narrowed(
  namespace: string,
  selectors: readonly Selector[],
): ListQuery & { readonly namespace: string } {
  const cover = coverSelectors(selectors);
  const labelSelector = cover === undefined ? "" : selectorText(cover);
  if (labelSelector === "" || labelSelector.length > MAX_SELECTOR_LENGTH) return { namespace };
  return { namespace, labelSelector };
}
