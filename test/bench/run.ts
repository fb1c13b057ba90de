import { coldStart } from "#test/bench/cold-start";
import { cronSection } from "#test/bench/cron";
import { cronEngine } from "#test/bench/cron-engine";
import { decision } from "#test/bench/decision";
import { eventStorm } from "#test/bench/event-storm";
import { eventsSection } from "#test/bench/events";
import { ledgerSection } from "#test/bench/ledger";
import { pageSection } from "#test/bench/page";
import type { Measurement, Section } from "#test/bench/section";
import { simulateSection } from "#test/bench/simulate";
import { sweepSection } from "#test/bench/sweep";

const SECTIONS: readonly Section[] = [
  decision,
  coldStart,
  sweepSection,
  cronEngine,
  cronSection,
  eventsSection,
  eventStorm,
  ledgerSection,
  pageSection,
  simulateSection,
];

const USAGE = `usage: npm run bench -- [--json] [--only ${SECTIONS.map(({ name }) => name).join("|")}]`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes("--json");
  const only = onlyOf(args.filter((arg) => arg !== "--json"));
  const chosen = only === undefined ? [] : SECTIONS.filter(({ name }) => only === "" || name === only);
  if (chosen.length === 0) {
    console.error(USAGE);
    return 2;
  }
  for (const section of chosen) {
    const measurements = await section.run();
    if (json) console.log(JSON.stringify({ section: section.name, measurements }));
    else print(section.name, measurements);
  }
  return 0;
}

/** The section asked for, empty for all; undefined where the arguments are not understood. */
function onlyOf([flag, value, ...rest]: readonly string[]): string | undefined {
  if (flag === undefined) return "";
  return flag === "--only" && value && rest.length === 0 ? value : undefined;
}

function print(name: string, measurements: readonly Measurement[]): void {
  console.log(name);
  for (const measurement of measurements) {
    const fields = Object.entries(measurement);
    const plain = fields.filter(([, value]) => typeof value !== "object");
    console.log(`  ${plain.map(([field, value]) => `${field} ${value}`).join(", ")}`);
    for (const [field, value] of fields) {
      if (typeof value === "object") console.log(`    ${field}: ${JSON.stringify(value)}`);
    }
  }
}
