import { type MilliValue, milliValue } from "#domain/units/milli";
import type { Parsed } from "#domain/units/parsed";

/**
 * Kubernetes quantities: `250m`, `1.5Gi`, `129e6`. Follows k8s.io/apimachinery v0.36.4 `api/resource`, as its
 * documentation defines it and the `quantity` vectors show it. Differs: D-27 exact at any size, D-28 always the
 * canonical text (`quantity-text.ts`), D-29 an amount has digits.
 */
export interface Quantity {
  /** The amount in billionths, exact; finer amounts are rounded away from zero when parsed. */
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

/** The family of suffixes that the text was written in, and is written in again. */
export type QuantityFormat = "DecimalSI" | "DecimalExponent" | "BinarySI";

/**
 * - `quantity-form`   not a number followed by a suffix
 * - `quantity-suffix` the suffix is none of n u m k M G T P E, Ki Mi Gi Ti Pi Ei, e<number>
 * - `quantity-digits` a suffix without a number (D-29)
 * - `quantity-range`  longer, or with a larger exponent, than any amount in use: 1,000 characters, 10^1000
 */
export type QuantityFaultCode = "quantity-form" | "quantity-suffix" | "quantity-digits" | "quantity-range";

const LARGEST_EXPONENT = 1_000;
const LONGEST_TEXT = 1_000;

const DECIMAL_EXPONENTS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_EXPONENTS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const FORM = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const EXPONENT = /^[eE]([+-]?[0-9]+)$/;

/**
 * The quantity that `text` means, or a fault (`QuantityFaultCode`). No spaces, no separators; a sign, a leading or
 * trailing point and leading zeros are allowed.
 *
 * @example `1.5Gi` is 1,610,612,736 and BinarySI; `0.1n` is one billionth.
 */
export function parseQuantity(text: string): Parsed<Quantity> {
  if (text.length > LONGEST_TEXT) return refuse("quantity-range", text);
  const match = FORM.exec(text);
  if (match === null || text === "") return refuse("quantity-form", text);
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  const unit = readSuffix(suffix);
  if (unit === undefined) return refuse("quantity-suffix", text);
  if (whole === "" && fraction === "") return refuse("quantity-digits", text);
  if (Math.abs(unit.exponent10) > LARGEST_EXPONENT) return refuse("quantity-range", text);

  const digits = BigInt(whole + fraction) << BigInt(unit.exponent2);
  const magnitude = inNano(digits, unit.exponent10 - fraction.length);
  return { ok: true, value: { nano: sign === "-" ? -magnitude : magnitude, format: unit.format } };
}

interface Unit {
  readonly format: QuantityFormat;
  readonly exponent10: number;
  readonly exponent2: number;
}

function readSuffix(suffix: string): Unit | undefined {
  const decimal = DECIMAL_EXPONENTS[suffix];
  if (decimal !== undefined) return { format: "DecimalSI", exponent10: decimal, exponent2: 0 };
  const binary = BINARY_EXPONENTS[suffix];
  if (binary !== undefined) return { format: "BinarySI", exponent10: 0, exponent2: binary };
  const exponent = EXPONENT.exec(suffix)?.[1];
  if (exponent !== undefined) {
    return { format: "DecimalExponent", exponent10: Number(exponent), exponent2: 0 };
  }
  return undefined;
}

function inNano(digits: bigint, exponent10: number): bigint {
  const shift = exponent10 + 9;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : divideUp(digits, 10n ** BigInt(-shift));
}

/** `amount` ÷ `divisor`, rounded away from zero. */
function divideUp(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor;
  if (amount % divisor === 0n) return quotient;
  return amount < 0n ? quotient - 1n : quotient + 1n;
}

/** Thousandths, rounded away from zero: `250u` is 1, `-250u` is −1. */
export function quantityMilli(quantity: Quantity): MilliValue {
  return milliValue(divideUp(quantity.nano, 1_000_000n));
}

/** Whole units, rounded away from zero: `100m` is 1. */
export function quantityValue(quantity: Quantity): number | bigint {
  return milliValue(divideUp(quantity.nano, 1_000_000_000n));
}

export function quantitySign(quantity: Quantity): -1 | 0 | 1 {
  if (quantity.nano === 0n) return 0;
  return quantity.nano < 0n ? -1 : 1;
}

/**
 * Thousandths, rounded away from zero, or undefined where `text` is no quantity: `quantityMilli` of `parseQuantity`.
 * The forms in which metrics and requests arrive (an integer of up to 15 digits and a short suffix) take no regular
 * expression and no bigint, because a reconcile reads thousands.
 */
export function parseMilli(text: string): MilliValue | undefined {
  const quick = quickMilli(text);
  if (quick !== undefined) return quick;
  const parsed = parseQuantity(text);
  return parsed.ok ? quantityMilli(parsed.value) : undefined;
}

const ZERO = 48;
const NINE = 57;
const LETTER_I = 105;
const MINUS = 45;
const EXACT_DIGITS = 15;

function quickMilli(text: string): number | undefined {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  let at = first;
  let amount = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) break;
    amount = amount * 10 + (code - ZERO);
  }
  if (at === first || at - first > EXACT_DIGITS) return undefined;
  const milli = quickUnit(amount, text, at);
  if (milli === undefined || !Number.isSafeInteger(milli)) return undefined;
  return first === 1 && milli !== 0 ? -milli : milli;
}

/** `amount` times the suffix at `at`; doubles are exact here, both below 2^53 and for the quotients of 15 digits. */
function quickUnit(amount: number, text: string, at: number): number | undefined {
  const length = text.length - at;
  if (length === 0) return amount * 1_000;
  if (length === 2 && text.charCodeAt(at + 1) === LETTER_I) {
    if (text[at] === "K") return amount * 1_024_000;
    if (text[at] === "M") return amount * 1_048_576_000;
    if (text[at] === "G") return amount * 1_073_741_824_000;
    return undefined;
  }
  if (length !== 1) return undefined;
  if (text[at] === "n") return Math.ceil(amount / 1_000_000);
  if (text[at] === "u") return Math.ceil(amount / 1_000);
  if (text[at] === "m") return amount;
  if (text[at] === "k") return amount * 1_000_000;
  if (text[at] === "M") return amount * 1_000_000_000;
  return undefined;
}

const SENTENCES: Readonly<Record<QuantityFaultCode, string>> = {
  "quantity-form": "is not a quantity; write a number and a unit, such as 250m, 1.5Gi or 2e3",
  "quantity-suffix": "has no known unit; use n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or e<number>",
  "quantity-digits": "has a unit but no number; write for example 1Gi",
  "quantity-range": "is too long or too large for a quantity",
};

function refuse(code: QuantityFaultCode, text: string): Parsed<Quantity> {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return { ok: false, fault: { code, detail: `${JSON.stringify(shown)} ${SENTENCES[code]}` } };
}
