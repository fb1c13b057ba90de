import type { Unit } from "./timeline.ts";

const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

/** An amount for an axis or a key, short. @example `100%`, `250m` of a core, `1.5Gi`, `12.5k` */
export function amountText(unit: Unit, value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (unit === "%") return `${short(value)}%`;
  if (unit === "cores") return value !== 0 && Math.abs(value) < 1 ? `${short(value * 1000)}m` : short(value);
  if (unit === "bytes") {
    const step = Math.min(BINARY.length - 1, Math.max(0, Math.floor(Math.log2(Math.abs(value) || 1) / 10)));
    return `${short(value / 1024 ** step)}${BINARY[step]}`;
  }
  const size = Math.abs(value);
  if (size >= 1e9) return `${short(value / 1e9)}G`;
  if (size >= 1e6) return `${short(value / 1e6)}M`;
  return size >= 1e4 ? `${short(value / 1e3)}k` : short(value);
}

/** Three figures at most behind the whole ones. */
function short(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}
