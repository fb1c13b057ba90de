const NANOSECONDS: ReadonlyMap<string, number> = new Map([
  ["ns", 1],
  ["us", 1e3],
  ["µs", 1e3],
  ["μs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);
const PART = /^([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/;
/** Go counts nanoseconds in an int64: some 292 years. */
const LONGEST_NANOSECONDS = 2 ** 63;

/**
 * Seconds, with their fraction, of a Go duration as metav1.Duration writes it: `15s`, `1m30s`, `14.863s`, `-1.5h`.
 * Undefined where the text is none or longer than 292 years. `0` needs no unit. To the nanosecond up to 104 days.
 */
export function parseDuration(text: string): number | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  let rest = text.slice(sign.length);
  if (rest === "0") return 0;
  if (rest === "") return undefined;
  let nanoseconds = 0;
  while (rest !== "") {
    const [part, amount = "", unit = ""] = PART.exec(rest) ?? [];
    if (part === undefined) return undefined;
    nanoseconds += Math.round(Number(amount) * (NANOSECONDS.get(unit) ?? 0));
    rest = rest.slice(part.length);
  }
  if (nanoseconds >= LONGEST_NANOSECONDS) return undefined;
  return (sign === "-" ? -nanoseconds : nanoseconds) / 1e9;
}
