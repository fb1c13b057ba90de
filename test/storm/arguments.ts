import { parseArgs } from "node:util";

export interface StormArguments {
  readonly seeds: number;
  /** The first; the others follow. */
  readonly seed: number;
  readonly minutes: number;
  readonly objects: number;
  readonly processes: number;
  readonly json: boolean;
  readonly shrink: boolean;
  /** A file to run instead of seeds. */
  readonly replay?: string;
  /** An object, `namespace/name`, whose story is told after a replay; `all` for everything. */
  readonly tell?: string;
  /** Faults are planted in the code, to see whether the storm finds them. */
  readonly planted: boolean;
  /** Over real parts: processes, HTTP, disks. */
  readonly real: boolean;
  /** How often the functions' process is killed then. */
  readonly kills: number;
  /** The only one to plant. */
  readonly only?: string;
}

export type ParsedArguments =
  | { readonly ok: true; readonly value: StormArguments }
  | { readonly ok: false; readonly fault: string };

export const USAGE =
  "usage: npm run storm -- [--seeds N] [--seed S] [--minutes M] [--objects K] [--processes P] [--no-shrink] [--json]\n" +
  "       npm run storm -- --replay FILE [--tell NAMESPACE/NAME|all] [--json]\n" +
  "       npm run storm -- --planted [--only NAME] [--seeds N] [--processes P] [--json]\n" +
  "       npm run storm -- --real [--kills N] [--seed S] [--objects K] [--json]";

const COUNTS = { seeds: 50, seed: 1, minutes: 5, objects: 6, processes: 1, kills: 200 };
/** Seeds within which a planted fault must be found. */
const PLANTED_SEEDS = 200;

export function parseArguments(args: readonly string[]): ParsedArguments {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...{ seeds: text, seed: text, minutes: text, objects: text, processes: text, kills: text },
        ...{ replay: text, tell: text, only: text },
        ...{ json: flag, "no-shrink": flag, planted: flag, real: flag },
      },
    });
    const { replay, tell, only, json = false, planted = false, real = false } = values;
    const counts = { ...COUNTS, ...(planted ? { seeds: PLANTED_SEEDS } : {}) };
    for (const name of ["seeds", "seed", "minutes", "objects", "processes", "kills"] as const) {
      const given = values[name];
      if (given === undefined) continue;
      if (!/^[1-9]\d{0,8}$/.test(given))
        return { ok: false, fault: `--${name} is ${given}; give a whole number from 1` };
      counts[name] = Number(given);
    }
    return {
      ok: true,
      value: {
        ...counts,
        ...{ json, planted, real },
        shrink: values["no-shrink"] !== true,
        ...(replay === undefined ? {} : { replay }),
        ...(tell === undefined ? {} : { tell }),
        ...(only === undefined ? {} : { only }),
      },
    };
  } catch (error) {
    return { ok: false, fault: (error as Error).message };
  }
}
