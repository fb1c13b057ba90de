const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};
const PART = /^(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/;
/** Go counts nanoseconds in an int64. */
const LONGEST_SECONDS = 9_223_372_036;

/**
 * Whole seconds, cut off, of a Go duration (`1h30m`, `90s`, `1.5h`); undefined where the text is none or longer than
 * 292 years. `0` needs no unit.
 */
export function parseDurationSeconds(text: string): number | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  let rest = text.slice(sign.length);
  if (rest === "0") return 0;
  if (rest === "") return undefined;
  let seconds = 0;
  while (rest !== "") {
    const [whole, amount = "", unit = ""] = PART.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    seconds += Number(amount) * (SECONDS[unit] ?? 0);
    rest = rest.slice(whole.length);
  }
  if (seconds > LONGEST_SECONDS) return undefined;
  return Math.trunc(sign === "-" ? -seconds : seconds);
}
