import { parseInstant } from "#domain/units/instant";
import { parseQuantity } from "#domain/units/quantity";
import { quantityText } from "#domain/units/quantity-text";
import { type FieldFault, undecodableValue } from "./field-fault.ts";

/**
 * The Go type of a piece of JSON, as far as its decoder tells types apart. Decoding keeps the known fields, in the
 * order of the shape, and drops the rest, as an object does that went through a Karmada webhook.
 *
 * `zero` is what a missing or null value is; `decode` sees the others. A wrong type leaves a fault in `faults` and
 * decodes to `zero`, so the rest of the object is still read.
 */
export interface Shape<T> {
  readonly zero: T;
  readonly decode: (value: unknown, at: Place, faults: FieldFault[]) => T;
}

/** A decoded value, and what of the JSON did not fit the shape; empty when all did. */
export interface Decoded<T> {
  readonly value: T;
  readonly faults: readonly FieldFault[];
}

/** Decodes a whole value; `path` prefixes the paths of the faults, `goType` is its name in their texts. */
export function decodeAs<T>(shape: Shape<T>, value: unknown, goType: string, path = ""): Decoded<T> {
  const faults: FieldFault[] = [];
  return { value: decodeOrZero(shape, value, { path, struct: goType }, faults), faults };
}

export type Of<S> = S extends Shape<infer T> ? T : never;

/** Where a value stands: `path` as Kubernetes prints it, `struct` the Go type that holds the field. */
export interface Place {
  readonly path: string;
  readonly struct: string;
}

export const text: Shape<string> = scalar(
  "",
  "string",
  (value): value is string => typeof value === "string",
);

export const bool: Shape<boolean> = scalar(
  false,
  "bool",
  (value): value is boolean => typeof value === "boolean",
);

/** An integer in [−2^31, 2^31 − 1]. */
export const int32: Shape<number> = scalar(0, "int32", isInteger(2 ** 31));

/** An integer; beyond 2^53 JSON numbers are no longer exact, so they are refused. */
export const int64: Shape<number> = scalar(0, "int64", isInteger(2 ** 53));

/** RFC 3339, kept as it is written. */
export const time: Shape<string | null> = {
  zero: null,
  decode(value, at, faults) {
    if (typeof value !== "string") {
      faults.push(wrongType(value, at, "v1.Time"));
    } else if (parseInstant(value) === undefined) {
      const message = `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse it`;
      faults.push(undecodableValue(at.path, message));
    } else {
      return value;
    }
    return null;
  },
};

/** A quantity, as its canonical text; JSON numbers count too, and blanks around the text do not, as in Go. */
export const quantity: Shape<string> = {
  zero: "0",
  decode(value, at, faults) {
    if (typeof value !== "string" && typeof value !== "number") {
      faults.push(wrongType(value, at, "resource.Quantity"));
      return "0";
    }
    const parsed = parseQuantity(String(value).trim());
    if (parsed.ok) return quantityText(parsed.value);
    faults.push(undecodableValue(at.path, parsed.fault.detail));
    return "0";
  },
};

/** Anything; kept as it is. */
export const raw: Shape<unknown> = { zero: undefined, decode: (value) => value };

/** A missing list decodes to an empty one. */
export function list<T>(item: Shape<T>, goType: string): Shape<readonly T[]> {
  return {
    zero: [],
    decode(value, at, faults) {
      if (!Array.isArray(value)) {
        faults.push(wrongType(value, at, `[]${goType}`));
        return [];
      }
      // Array.from fills the holes of a sparse list, which map would keep.
      return Array.from(value as readonly unknown[], (element, index) =>
        decodeOrZero(item, element, { ...at, path: `${at.path}[${index}]` }, faults),
      );
    },
  };
}

export const textMap: Shape<Readonly<Record<string, string>>> = {
  zero: {},
  decode(value, at, faults) {
    if (!isObject(value)) {
      faults.push(wrongType(value, at, "map[string]string"));
      return {};
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, decodeOrZero(text, member, at, faults)]),
    );
  },
};

/** Members are written in the order given; `always`, `unlessZero` and `pointer` say when. */
export function struct<M extends Members>(name: string, members: M): Shape<Struct<M>> {
  const fields = Object.entries(members);
  const decodeFrom = (source: Readonly<Record<string, unknown>>, at: Place, faults: FieldFault[]) => {
    const decoded: Record<string, unknown> = {};
    for (const [key, { shape, kept }] of fields) {
      const value = source[key];
      if (isMissing(value) && kept !== "always") continue;
      const member = decodeOrZero(
        shape,
        value,
        { path: at.path === "" ? key : `${at.path}.${key}`, struct: name },
        faults,
      );
      if (kept !== "unless-zero" || !isZero(member)) decoded[key] = member;
    }
    return decoded as Struct<M>;
  };
  return {
    get zero() {
      return decodeFrom({}, { path: "", struct: name }, []);
    },
    decode(value, at, faults) {
      if (isObject(value)) return decodeFrom(value, at, faults);
      faults.push(wrongType(value, at, name));
      return decodeFrom({}, at, []);
    },
  };
}

/** Written whatever it is; a missing one is its zero. */
export const always = <T>(shape: Shape<T>): Member<T, "always"> => ({ shape, kept: "always" });
/** Go's `omitempty` on a value: left out when it is its zero. */
export const unlessZero = <T>(shape: Shape<T>): Member<T, "unless-zero"> => ({ shape, kept: "unless-zero" });
/** Go's `omitempty` on a pointer: left out only when it is missing, so 0 and "" stay. */
export const pointer = <T>(shape: Shape<T>): Member<T, "pointer"> => ({ shape, kept: "pointer" });

interface Member<T, K extends "always" | "unless-zero" | "pointer"> {
  readonly shape: Shape<T>;
  readonly kept: K;
}
type Members = Readonly<Record<string, Member<unknown, "always" | "unless-zero" | "pointer">>>;
type Struct<M extends Members> = {
  readonly [K in keyof M as M[K]["kept"] extends "always" ? K : never]: Of<M[K]["shape"]>;
} & {
  readonly [K in keyof M as M[K]["kept"] extends "always" ? never : K]?: Of<M[K]["shape"]>;
};

function decodeOrZero<T>(shape: Shape<T>, value: unknown, at: Place, faults: FieldFault[]): T {
  return isMissing(value) ? shape.zero : shape.decode(value, at, faults);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether the value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function scalar<T>(zero: T, goType: string, matches: (value: unknown) => value is T): Shape<T> {
  return {
    zero,
    decode(value, at, faults) {
      if (matches(value)) return value;
      faults.push(wrongType(value, at, goType));
      return zero;
    },
  };
}

function isInteger(bound: number): (value: unknown) => value is number {
  return (value): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= -bound && value < bound;
}

function isZero(value: unknown): boolean {
  if (value === null || typeof value !== "object") return !value;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function wrongType(value: unknown, at: Place, goType: string): FieldFault {
  const field = at.path.replaceAll(/\[\d+\]/g, "");
  return undecodableValue(
    at.path,
    field === ""
      ? `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`
      : `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${at.struct}.${field} of type ${goType}`,
  );
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return `number ${value}`;
  return typeof value;
}
