import { isJsonObject } from "#sim/api/object";

/** How often the documents of a scenario are repeated. */
export interface Copies {
  readonly count: number;
  /** Over how many namespaces the copies are spread, in turn. */
  readonly namespaces: number;
}

const COPY = "$(i)";
const NAMESPACE = "$(ns)";

/**
 * The documents with those that hold `$(i)` repeated for each copy (0, 1, …), and those that hold only `$(ns)` for
 * each namespace (`team-0`, …). Copy i is in namespace i modulo their number. Others stand as they are.
 */
export function expandCopies(documents: readonly unknown[], copies: Copies | undefined): readonly unknown[] {
  if (copies === undefined) return documents;
  return documents.flatMap((document) => {
    const text = JSON.stringify(document) ?? "";
    if (text.includes(COPY)) {
      return range(copies.count).map((i) => filled(document, String(i), namespaceOf(i % copies.namespaces)));
    }
    if (!text.includes(NAMESPACE)) return [document];
    return range(copies.namespaces).map((i) => filled(document, "", namespaceOf(i)));
  });
}

function namespaceOf(index: number): string {
  return `team-${index}`;
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}

function filled(value: unknown, copy: string, namespace: string): unknown {
  if (typeof value === "string") return value.replaceAll(COPY, copy).replaceAll(NAMESPACE, namespace);
  if (Array.isArray(value)) return value.map((item) => filled(item, copy, namespace));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, item]) => [filled(name, copy, namespace), filled(item, copy, namespace)]),
  );
}
