import { Command, InvalidArgumentError } from "commander";
import { type CostLine, type FleetLoad, monthlyCost, totalOf, US_EAST_1, USUAL_FLEET } from "#infra/cost";
import { CliError, messageOf } from "./exit.ts";
import { paint, print, tableText } from "./terminal.ts";

interface CostOptions {
  readonly objects: readonly number[];
  readonly namespaces?: number;
  readonly hubs: number;
  readonly clusters: number;
  readonly pods: number;
  readonly syncPeriod: number;
  readonly changing: number;
  readonly scales: number;
  readonly cloudwatchMetrics: number;
  readonly natGateways: number;
  readonly relays: number;
  readonly events: number;
  readonly price: Readonly<Record<string, number>>;
  readonly json: boolean;
}

/** Platforms give a team a namespace, with so many autoscaled workloads. */
const OBJECTS_PER_NAMESPACE = 50;

/** `mainsheet cost`: what a month costs, line by line, for fleets of several sizes. */
export function costCommand(): Command {
  const usual = USUAL_FLEET;
  return new Command("cost")
    .description("What Mainsheet costs in a month in your AWS account, before any free tier. An estimate.")
    .option("--objects <list>", "FederatedHPAs", counts, [10, 100, 1_000, 10_000])
    .option(
      "--namespaces <n>",
      `namespaces that they are in (default: ${OBJECTS_PER_NAMESPACE} in each)`,
      amount,
    )
    .option("--hubs <n>", "hubs", amount, usual.hubs)
    .option("--clusters <n>", "member clusters", amount, usual.clusters)
    .option("--pods <n>", "pods of one object in all clusters", amount, usual.podsPerObject)
    .option("--sync-period <seconds>", "from one evaluation to the next", amount, usual.syncPeriodSeconds)
    .option("--changing <part>", "of the evaluations, those that store a new state", amount, usual.changing)
    .option("--scales <n>", "scales of one object in a day", amount, usual.scalesPerObjectPerDay)
    .option(
      "--cloudwatch-metrics <n>",
      "metrics read from CloudWatch in each sweep",
      amount,
      usual.cloudWatchMetrics,
    )
    .option("--nat-gateways <n>", "NAT gateways, for private hubs", amount, usual.natGateways)
    .option("--relays <n>", "hubs that the function relay watches", amount, usual.relays)
    .option(
      "--events <n>",
      "events about one object in a day, from others than a relay",
      amount,
      usual.eventsPerObjectPerDay,
    )
    .option(
      "--price <name=dollars>",
      `another price than us-east-1's: ${Object.keys(US_EAST_1).join(", ")}`,
      price,
      {},
    )
    .option("--json", "one JSON object per fleet", false)
    .action(runCost);
}

function runCost(options: CostOptions): void {
  const fleets = options.objects.map(
    (objects): FleetLoad => ({
      objects,
      namespaces: options.namespaces ?? Math.ceil(objects / OBJECTS_PER_NAMESPACE),
      hubs: options.hubs,
      clusters: options.clusters,
      podsPerObject: options.pods,
      syncPeriodSeconds: options.syncPeriod,
      changing: options.changing,
      scalesPerObjectPerDay: options.scales,
      cloudWatchMetrics: options.cloudwatchMetrics,
      natGateways: options.natGateways,
      relays: options.relays,
      eventsPerObjectPerDay: options.events,
    }),
  );
  const costs = fleets.map((fleet) => ({ fleet, lines: costOf(fleet, options) }));
  if (options.json) {
    for (const { fleet, lines } of costs)
      print(JSON.stringify({ fleet, lines, dollars: rounded(totalOf(lines)) }));
    return;
  }
  for (const line of costTable(costs)) print(line);
}

function costOf(fleet: FleetLoad, { price }: CostOptions): readonly CostLine[] {
  try {
    return monthlyCost(fleet, { ...US_EAST_1, ...price });
  } catch (error) {
    throw new CliError("usage", messageOf(error), { cause: error });
  }
}

interface Cost {
  readonly fleet: FleetLoad;
  readonly lines: readonly CostLine[];
}

/** A column for each fleet, a row for each item of the dearest, the sum below. */
function costTable(costs: readonly Cost[]): string[] {
  const items = [...(costs.at(-1)?.lines ?? [])].map(({ item }) => item);
  const dollars = ({ lines }: Cost, item: string) => lines.find((line) => line.item === item)?.dollars ?? 0;
  const cells = (amounts: readonly number[]) => amounts.map((amount) => amount.toFixed(2).padStart(9));
  const [heading = "", ...rows] = tableText(
    ["USD A MONTH", ...costs.map(({ fleet }) => fleet.objects.toLocaleString("en-US").padStart(9))],
    [
      ...items.map((item) => [item, ...cells(costs.map((cost) => dollars(cost, item)))]),
      ["total", ...cells(costs.map(({ lines }) => totalOf(lines)))],
    ],
  );
  return [paint("bold", heading), ...rows.slice(0, -1), paint("bold", rows.at(-1) ?? "")];
}

function rounded(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}

function counts(list: string): number[] {
  return list.split(",").map(amount);
}

function amount(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError("Allowed are numbers of 0 or more.");
}

function price(text: string, former: Readonly<Record<string, number>>): Record<string, number> {
  const [name = "", value = ""] = text.split("=");
  if (!(name in US_EAST_1)) {
    throw new InvalidArgumentError(`${name} is no price; there are ${Object.keys(US_EAST_1).join(", ")}.`);
  }
  return { ...former, [name]: amount(value) };
}
