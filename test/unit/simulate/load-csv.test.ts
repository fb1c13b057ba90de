import { describe, expect, it } from "vitest";
import type { FederatedHpa, MetricSpec } from "#domain/spec/federated-hpa";
import { amountAt } from "#infra/simulate/load-choice";
import { readLoadCsv } from "#infra/simulate/load-csv";

const cpu: MetricSpec = {
  type: "Resource",
  name: "cpu",
  target: { type: "Utilization", averageUtilization: 50 },
};
const requests: MetricSpec = {
  type: "Pods",
  name: "requests",
  selector: "",
  target: { type: "AverageValue", averageValue: 10_000 },
};
const object = {
  namespace: "shop",
  name: "web",
  spec: { metrics: [cpu, requests] },
} as unknown as FederatedHpa;

function loadOf(text: string) {
  const read = readLoadCsv("traffic.csv", text);
  if (!read.ok) throw new Error(read.fault);
  return read.value;
}

describe("a load from a CSV file", () => {
  it("two columns without a heading are the first metric's demand; the last row lasts as long as the one before", () => {
    const load = loadOf("0,250m\n30,1.5\n90,0\n");
    expect(load.of(object, cpu)).toEqual([
      { seconds: 0, milli: 250 },
      { seconds: 30, milli: 1500 },
      { seconds: 90, milli: 0 },
    ]);
    expect([load.of(object, requests), load.startMs, load.spanSeconds]).toEqual([undefined, undefined, 150]);
  });

  it("columns go by the metrics' names, instants say when it was, remarks and a byte order mark do not matter", () => {
    const text =
      "\ufefftime, requests ,cpu\n# a morning\n2026-03-02T09:00:00Z,20,1\n2026-03-02T10:00:00+00:00,40,2\n";
    const load = loadOf(text);
    expect(load.of(object, requests)).toEqual([
      { seconds: 0, milli: 20_000 },
      { seconds: 3600, milli: 40_000 },
    ]);
    expect(load.of(object, cpu)?.map(({ milli }) => milli)).toEqual([1000, 2000]);
    expect([load.startMs, load.spanSeconds]).toEqual([Date.parse("2026-03-02T09:00:00Z"), 7200]);
  });

  it("times count from the first row", () => {
    expect(
      loadOf("100,1\n115,2")
        .of(object, cpu)
        ?.map(({ seconds }) => seconds),
    ).toEqual([0, 15]);
  });

  it.each([
    ["", "traffic.csv: there is no row of time and demand; write one such as 0,250m"],
    ["time,demand\n", "traffic.csv: there is no row of time and demand; write one such as 0,250m"],
    ["time\n0\n", "traffic.csv: there is no column of demand beside the time; add one"],
    ["0,-1\n", 'traffic.csv: line 1: "-1" is no amount of demand; write 0 or more, such as 1.5 or 250m'],
    [
      "0,1\n15,NaN\n",
      'traffic.csv: line 2: "NaN" is no amount of demand; write 0 or more, such as 1.5 or 250m',
    ],
    ["0,1\n15\n", 'traffic.csv: line 2: "" is no amount of demand; write 0 or more, such as 1.5 or 250m'],
    [
      "0,Infinity\n",
      'traffic.csv: line 1: "Infinity" is no amount of demand; write 0 or more, such as 1.5 or 250m',
    ],
    ["0,1\n0,2\n", "traffic.csv: line 2: the time 0 is not after the one before; sort the rows"],
    ["15,1\n0,2\n", "traffic.csv: line 2: the time 0 is not after the one before; sort the rows"],
    [
      "-5,1\n",
      'traffic.csv: line 1: "-5" is no time; write seconds or an instant such as 2026-03-02T09:00:00Z',
    ],
    [
      "0,1\nlater,2\n",
      'traffic.csv: line 2: "later" is no time; write seconds or an instant such as 2026-03-02T09:00:00Z',
    ],
  ])("%j is refused in one sentence", (text, fault) => {
    expect(readLoadCsv("traffic.csv", text)).toEqual({ ok: false, fault });
  });

  it("an unclosed quote is refused with its line", () => {
    const read = readLoadCsv("traffic.csv", '0,"1\n15,2\n');
    expect(read.ok ? "" : read.fault).toMatch(/^traffic\.csv: .*Quote/);
  });
});

describe("the amount in force", () => {
  const points = [
    { seconds: 0, milli: 1 },
    { seconds: 10, milli: 2 },
    { seconds: 30, milli: 3 },
  ];

  it.each([
    [-5, 1],
    [0, 1],
    [9.9, 1],
    [10, 2],
    [29, 2],
    [30, 3],
    [1e9, 3],
  ])("at %d s is %d", (seconds, milli) => expect(amountAt(points, seconds)).toBe(milli));
});
