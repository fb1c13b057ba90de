import type { LedgerEntry } from "#test/golden/ledger";

export interface AdmissionInput {
  readonly object: {
    readonly kind?: string;
    readonly spec?: {
      readonly rules?: readonly { readonly schedule?: string }[];
      readonly scaleTargetRef?: { readonly apiVersion?: string; readonly kind?: string };
      readonly behavior?: Partial<Record<Direction, Readonly<Record<string, unknown>> | null>> | null;
    };
  };
}
type Direction = "scaleUp" | "scaleDown";

/** `errors` as sorted `type field` texts: details and messages are wordings. */
export interface AdmissionAnswer {
  readonly errors?: readonly string[];
  readonly undecodable?: boolean;
  readonly spec?: unknown;
}

export const ADMISSION_LEDGER: readonly LedgerEntry<AdmissionInput, AdmissionAnswer>[] = [
  {
    // The defaulting webhook deletes `tolerance`; it stays where it was written.
    id: "D-17",
    holds: ({ object }) => tolerances(object).length > 0,
    instead: ({ object }, out) => {
      const spec = out.spec as { behavior?: Record<string, object> } | undefined;
      if (spec?.behavior === undefined) return out;
      const kept = tolerances(object).map(([direction, tolerance]) => [
        direction,
        { ...spec.behavior?.[direction], tolerance },
      ]);
      return { ...out, spec: { ...spec, behavior: { ...spec.behavior, ...Object.fromEntries(kept) } } };
    },
  },
  {
    // The webhook's verdict on a schedule is gronx's; ours is that of the engine that has to run it.
    id: "D-22",
    holds: ({ object }) => object.kind === "CronFederatedHPA" && reachesRules(object),
    instead: ({ object }, out) => {
      if (out.errors === undefined) return out;
      const refused = (object.spec?.rules ?? []).flatMap(({ schedule = "" }, index) =>
        engineRuns(schedule) ? [] : [`FieldValueInvalid spec.rules[${index}].schedule`],
      );
      const others = out.errors.filter((error) => !/ spec\.rules\[\d+\]\.schedule$/.test(error));
      return { errors: [...others, ...refused].sort() };
    },
  },
];

function tolerances(object: AdmissionInput["object"]): [Direction, unknown][] {
  return (["scaleUp", "scaleDown"] as const).flatMap((direction) => {
    const tolerance = object.spec?.behavior?.[direction]?.tolerance;
    return tolerance === undefined || tolerance === null ? [] : [[direction, tolerance]];
  });
}

/** A Karmada target of another kind than FederatedHPA ends the webhook's search before the rules. */
function reachesRules({ spec }: AdmissionInput["object"]): boolean {
  const { apiVersion, kind } = spec?.scaleTargetRef ?? {};
  return apiVersion !== "autoscaling.karmada.io/v1alpha1" || kind === "FederatedHPA";
}

const MONTH = "(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
const WEEKDAY = "(?:0?[0-6]|sun|mon|tue|wed|thu|fri|sat)";
const FIELDS = ["0?\\d|[1-5]\\d", "0?\\d|1\\d|2[0-3]", "0?[1-9]|[12]\\d|3[01]", MONTH, WEEKDAY].map(listOf);
const FIVE_FIELDS = new RegExp(`^${FIELDS.join("\\s+")}$`, "i");
const MACRO = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
const EVERY = /^@every (\d+)([smh])$/;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
/** 30 and 31 February, and the 31st of short months only. */
const NEVER = /^\S+ \S+ (?:3[01] (?:0?2|feb)|31 (?:0?2|0?4|0?6|0?9|11)(?:,(?:0?2|0?4|0?6|0?9|11))*) \*$/i;

function listOf(value: string): string {
  const range = `(?:[*?]|(?:${value})(?:-(?:${value}))?)(?:/0*[1-9]\\d*)?`;
  return `(?:,*${range}(?:,+${range})*,*)`;
}

/**
 * The engine's grammar (robfig/cron v3) as one regular expression; ends before beginnings are looked for apart. What
 * never fires and intervals under a minute are refused by us alone.
 */
export function engineRuns(schedule: string): boolean {
  const text = schedule
    .replace(/^(CRON_)?TZ=(UTC|[A-Z]\w+\/\w+) /, "")
    .trim()
    .replaceAll(/\s+/g, " ");
  const [, amount, unit = ""] = EVERY.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (UNIT_SECONDS[unit] ?? 0) >= 60;
  if (MACRO.test(text)) return true;
  const backwards = [...text.matchAll(/(\d+)-(\d+)/g)].some(([, low, high]) => Number(low) > Number(high));
  return FIVE_FIELDS.test(text) && !backwards && !NEVER.test(text);
}
