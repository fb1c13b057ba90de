import { parseArgs } from "node:util";

export interface StormArguments {
  readonly seeds: number;
  /** The first; the others follow. */
  readonly seed: number;
  readonly minutes: number;
  readonly objects: number;
  readonly json: boolean;
  readonly shrink: boolean;
  /** A file to run instead of seeds. */
  readonly replay?: string;
  /** An object, `namespace/name`, whose story is told after a replay; `all` for everything. */
  readonly tell?: string;
}

export type ParsedArguments =
  | { readonly ok: true; readonly value: StormArguments }
  | { readonly ok: false; readonly fault: string };

export const USAGE =
  "usage: npm run storm -- [--seeds N] [--seed S] [--minutes M] [--objects K] [--no-shrink] [--json]\n" +
  "       npm run storm -- --replay FILE [--tell NAMESPACE/NAME|all] [--json]";

const COUNTS = { seeds: 50, seed: 1, minutes: 5, objects: 6 };

export function parseArguments(args: readonly string[]): ParsedArguments {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...{ seeds: text, seed: text, minutes: text, objects: text, replay: text, tell: text },
        ...{ json: flag, "no-shrink": flag },
      },
    });
    const counts = { ...COUNTS };
    for (const name of ["seeds", "seed", "minutes", "objects"] as const) {
      const given = values[name];
      if (given === undefined) continue;
      if (!/^[1-9]\d{0,8}$/.test(given))
        return { ok: false, fault: `--${name} is ${given}; give a whole number from 1` };
      counts[name] = Number(given);
    }
    const { replay, tell, json = false } = values;
    return {
      ok: true,
      value: {
        ...counts,
        json,
        shrink: values["no-shrink"] !== true,
        ...(replay === undefined ? {} : { replay }),
        ...(tell === undefined ? {} : { tell }),
      },
    };
  } catch (error) {
    return { ok: false, fault: (error as Error).message };
  }
}
