import type { MilliValue } from "#domain/units/milli";
import type { Quantity } from "#domain/units/quantity";

const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const NANO_PER_UNIT = 1_000_000_000n;

/**
 * The canonical text that Kubernetes documents for a quantity: no precision lost, no fraction, the largest possible
 * unit of its format, no sign unless negative (D-28: never an echo of the input). A BinarySI amount below 1024 or
 * with a fraction, and a DecimalSI amount of 10^21 and more, are written in the next format that can.
 *
 * @example 1.5 is `1500m`, 1.5Gi is `1536Mi`, 0.1Ki is `102400m`, 1000E is `1e21`.
 */
export function quantityText(quantity: Quantity): string {
  const { nano, format } = quantity;
  if (nano === 0n) return "0";
  if (format === "BinarySI" && nano % NANO_PER_UNIT === 0n) {
    const value = nano / NANO_PER_UNIT;
    if (value <= -1024n || value >= 1024n) return binaryText(value);
  }
  return decimalText(nano, format === "DecimalExponent");
}

/** The canonical DecimalSI text of thousandths, as Karmada writes them into a status: 1500 is `1500m`, 2000 is `2`. */
export function milliText(milli: MilliValue): string {
  return quantityText({ nano: BigInt(milli) * 1_000_000n, format: "DecimalSI" });
}

function binaryText(value: bigint): string {
  let mantissa = value;
  let step = 0;
  while (step < BINARY_SUFFIXES.length - 1 && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    step++;
  }
  return `${mantissa}${BINARY_SUFFIXES[step]}`;
}

function decimalText(nano: bigint, asExponent: boolean): string {
  let mantissa = nano;
  let step = 0;
  while (mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    step++;
  }
  const suffix = asExponent ? undefined : DECIMAL_SUFFIXES[step];
  if (suffix !== undefined) return `${mantissa}${suffix}`;
  const exponent = step * 3 - 9;
  return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
}
