import { InvalidArgumentError } from "commander";
import { parseMilli } from "#domain/units/quantity";
import type { LoadChoice } from "#infra/simulate/load-choice";
import { readLoadCsv } from "#infra/simulate/load-csv";
import { LOAD_SHAPES } from "#infra/simulate/load-shapes";
import { CliError } from "./exit.ts";
import { nameOf, readInput } from "./input-file.ts";

const SHAPES = Object.keys(LOAD_SHAPES).join(", ");
const FORM = `Allowed are ${SHAPES}, each also with ,low=AMOUNT,high=AMOUNT,noise=PERCENT, and a file whose name ends in .csv.`;

/** Reads `SHAPE[,low=…][,high=…][,noise=…]` or the name of a CSV file; what it throws commander turns into exit 2. */
export function load(text: string): LoadChoice {
  const isFile = text === "-" || /\.csv$/i.test(text);
  return isFile ? loadIn(text) : shape(text);
}

function loadIn(path: string): LoadChoice {
  const read = readLoadCsv(nameOf(path), readInput(path));
  if (read.ok) return read.value;
  throw new CliError("usage", read.fault);
}

function shape(text: string): LoadChoice {
  const [name = "", ...settings] = text.split(",");
  if (!Object.hasOwn(LOAD_SHAPES, name)) throw new InvalidArgumentError(FORM);
  const given = new Map(settings.map(settingOf));
  const [lowMilli, highMilli] = [given.get("low"), given.get("high")];
  if (lowMilli !== undefined && highMilli !== undefined && lowMilli > highMilli)
    throw new InvalidArgumentError("low is above high; exchange them.");
  const noisePercent = (given.get("noise") ?? 0) / 1000;
  if (noisePercent > 100) throw new InvalidArgumentError("noise is at most 100 percent.");
  return {
    kind: "shape",
    name,
    ...(lowMilli === undefined ? {} : { lowMilli }),
    ...(highMilli === undefined ? {} : { highMilli }),
    noisePercent,
  };
}

/** In thousandths. */
function settingOf(text: string): readonly [string, number] {
  const [, name = "", amount = ""] = /^(low|high|noise)=(.+)$/.exec(text) ?? [];
  const milli = parseMilli(amount);
  if (milli === undefined || milli < 0) throw new InvalidArgumentError(FORM);
  return [name, Number(milli)];
}
