import { isObject } from "#domain/spec/shape";
import type { Manifest } from "./finding.ts";

/** The items of a Kubernetes List, each as a manifest of its own; any other manifest as it is. */
export function listItems({ file, value }: Manifest): readonly Manifest[] {
  const isList = isObject(value) && value.kind === "List" && Array.isArray(value.items);
  return isList ? (value.items as unknown[]).map((item) => ({ file, value: item })) : [{ file, value }];
}
