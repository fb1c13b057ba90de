import type { LedgerEntry } from "#test/golden/ledger";

export interface QuantityInput {
  readonly string: string;
}
export interface QuantityAnswer {
  readonly ok: boolean;
  readonly milliValue?: string;
  readonly value?: string;
  readonly canonical?: string;
  readonly sign?: number;
}

const INT64_MAX = 2n ** 63n - 1n;
const NUMBER = /^([+-]?)(\d*)\.?(\d*)(n|u|m|k|M|G|T|P|E|[KMGTPE]i|[eE][+-]?\d+)?$/;
const POWERS = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_POWERS = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** The amount as a fraction of two integers, by long division and no fast path: what the equations below start from. */
interface Amount {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
  /** Of 10, for decimal suffixes; of 2, for binary ones. */
  readonly exponent: number;
  readonly binary: boolean;
  readonly nano: bigint;
}

function amountOf(text: string): Amount | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  const binary = suffix.endsWith("i");
  const exponent = binary
    ? BINARY_POWERS.indexOf(suffix) * 10
    : suffix.length > 1
      ? Number(suffix.slice(1))
      : POWERS.indexOf(suffix) * 3 - 9;
  const digits = BigInt(`0${whole}${fraction}`) * (binary ? 2n ** BigInt(exponent) : 1n);
  const power = (binary ? 0 : exponent) - fraction.length + 9;
  const nano = power >= 0 ? digits * 10n ** BigInt(power) : ceilDivide(digits, 10n ** BigInt(-power));
  return { negative: sign === "-", whole, fraction, suffix, exponent, binary, nano };
}

/** Thousandths of a quantity ≥ 0, rounded up. */
export function ceilMilli(text: string): bigint {
  const amount = amountOf(text);
  if (amount === undefined || amount.negative) throw new Error(`no amount ≥ 0: ${text}`);
  return ceilDivide(amount.nano, 10n ** 6n);
}

const ceilDivide = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by;

/** The largest unit that divides the amount, tried from the top. */
function documentedText({ nano, negative, suffix, binary }: Amount): string {
  if (nano === 0n) return "0";
  const sign = negative ? "-" : "";
  if (binary && nano >= 1024n * 10n ** 9n) {
    for (let step = 6; step >= 0; step--) {
      const unit = 1024n ** BigInt(step) * 10n ** 9n;
      if (nano % unit === 0n) return `${sign}${nano / unit}${BINARY_POWERS[step]}`;
    }
  }
  let step = 400;
  while (nano % 1000n ** BigInt(step) !== 0n) step--;
  const mantissa = nano / 1000n ** BigInt(step);
  const exponential = /^[eE]./.test(suffix) || step >= POWERS.length;
  const exponent = step * 3 - 9;
  if (!exponential) return `${sign}${mantissa}${POWERS[step]}`;
  return exponent === 0 ? `${sign}${mantissa}` : `${sign}${mantissa}e${exponent}`;
}

/** apimachinery keeps an amount of up to 18 digits as int64 with a scale; the rest is a big decimal in billionths. */
function isInt64Form(amount: Amount): boolean {
  const whole = amount.whole.replace(/^0+/, "") || "0";
  if (amount.binary) {
    return amount.fraction === "" && 14 - whole.length - Math.trunc((amount.exponent * 3) / 10) >= 0;
  }
  const digits = whole.length + amount.fraction.length;
  return digits <= 18 && amount.exponent - amount.fraction.length >= -9;
}

/** apimachinery takes these int64 forms for canonical as they stand and keeps the text. */
function isEchoed(amount: Amount): boolean {
  if (!isInt64Form(amount)) return false;
  const shifted = `${amount.whole.replace(/^0+/, "") || "0"}${amount.fraction}`;
  if (amount.binary) return BigInt(shifted) % 8n !== 0n;
  const scale = amount.exponent - amount.fraction.length;
  return scale % 3 === 0 && !shifted.endsWith("000") && !shifted.startsWith("0");
}

const hasDigits = (amount: Amount): boolean => amount.whole !== "" || amount.fraction !== "";

const overflows = (amount: Amount): boolean =>
  ceilDivide(amount.nano, 10n ** 6n) > INT64_MAX ||
  (amount.negative && !isInt64Form(amount) && amount.nano > INT64_MAX);

export const QUANTITY_LEDGER: readonly LedgerEntry<QuantityInput, QuantityAnswer>[] = [
  {
    id: "D-29",
    holds: ({ string }) => {
      const amount = amountOf(string);
      return amount !== undefined && !hasDigits(amount) && string !== "";
    },
    instead: () => ({ ok: false }),
  },
  {
    id: "D-28",
    holds: ({ string }) => {
      const amount = amountOf(string);
      return amount !== undefined && hasDigits(amount) && isEchoed(amount);
    },
    instead: ({ string }, out) => {
      const amount = amountOf(string);
      return amount === undefined ? out : { ...out, canonical: documentedText(amount) };
    },
  },
  {
    id: "D-27",
    holds: ({ string }) => {
      const amount = amountOf(string);
      return amount !== undefined && hasDigits(amount) && overflows(amount);
    },
    instead: ({ string }, out) => {
      const amount = amountOf(string);
      if (amount === undefined) return out;
      const sign = amount.negative ? "-" : "";
      return {
        ...out,
        milliValue: `${sign}${ceilDivide(amount.nano, 10n ** 6n)}`,
        value: `${sign}${ceilDivide(amount.nano, 10n ** 9n)}`,
        canonical: documentedText(amount),
      };
    },
  },
];
