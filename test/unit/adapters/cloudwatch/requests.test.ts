import type { GetMetricDataCommandInput, MetricDataResult } from "@aws-sdk/client-cloudwatch";
import { describe, expect, it } from "vitest";
import { cloudWatchMetrics } from "#adapters/cloudwatch/external-metrics";
import type { Read } from "#domain/fleet/snapshot";
import type { ExternalQuery, ExternalValue } from "#ports/external-metrics";

/** 12:03:20: the newest whole minute is the one from 12:02. */
const NOW_MS = Date.parse("2026-11-30T12:03:20Z");
const at = (time: string) => new Date(`2026-11-30T${time}Z`);

type Answer = (input: GetMetricDataCommandInput) => {
  readonly results?: readonly Partial<MetricDataResult>[];
  readonly next?: string;
};

/** A source whose service answers as the test says, and what it was asked. */
function source(answer: Answer) {
  const asked: GetMetricDataCommandInput[] = [];
  const port = cloudWatchMetrics(async (input) => {
    asked.push(input);
    const { results = [], next } = answer(input);
    return {
      $metadata: {},
      MetricDataResults: results as MetricDataResult[],
      ...(next === undefined ? {} : { NextToken: next }),
    };
  });
  return { asked, read: (...queries: ExternalQuery[]) => port.read(queries, NOW_MS) };
}

/** Every returned query has this value a minute ago. */
const allAt =
  (value: number): Answer =>
  ({ MetricDataQueries = [] }) => ({
    results: MetricDataQueries.filter(({ ReturnData }) => ReturnData !== false).map(({ Id }) => ({
      Id,
      Timestamps: [at("12:02:00")],
      Values: [value],
    })),
  });

const query = (definition: unknown, selector = ""): ExternalQuery => ({
  namespace: "shop",
  name: "x.cloudwatch.mainsheet.io",
  selector,
  definition,
});
const orders = (n = 0, more: object = {}) => query({ namespace: "Shop", metric: `orders-${n}`, ...more });

function refusal(name: string, httpStatusCode = 400): Error {
  return Object.assign(new Error("refused by the test"), { name, $metadata: { httpStatusCode } });
}

const shown = (reads: readonly Read<ExternalValue>[]) =>
  reads.map((read) => (read.ok ? read.value.milliValue : read.fault));

describe("what CloudWatch is asked", () => {
  it("the last three whole periods, newest first", async () => {
    const { asked, read } = source(allAt(1));
    await read(query({ namespace: "AWS/SQS", metric: "Visible", dimensions: { QueueName: "orders" } }));
    expect(asked).toEqual([
      {
        StartTime: at("12:00:00"),
        EndTime: at("12:03:00"),
        ScanBy: "TimestampDescending",
        MetricDataQueries: [
          {
            Id: "q0",
            MetricStat: {
              Metric: {
                Namespace: "AWS/SQS",
                MetricName: "Visible",
                Dimensions: [{ Name: "QueueName", Value: "orders" }],
              },
              Period: 60,
              Stat: "Average",
            },
          },
        ],
      },
    ]);
  });

  it("1,200 queries in three requests of at most 500", async () => {
    const { asked, read } = source(allAt(2));
    const reads = await read(...Array.from({ length: 1_200 }, (_, n) => orders(n)));
    expect(asked.map(({ MetricDataQueries }) => MetricDataQueries?.length)).toEqual([500, 500, 200]);
    expect(shown(reads)).toEqual(Array(1_200).fill(2_000));
  });

  it("one request for each period: each has its own whole periods", async () => {
    const { asked, read } = source(allAt(1));
    await read(orders(0), orders(1, { periodSeconds: 300 }), orders(2), orders(3, { periodSeconds: 10 }));
    expect(
      asked.map(({ StartTime, EndTime, MetricDataQueries }) => [
        StartTime,
        EndTime,
        MetricDataQueries?.length,
      ]),
    ).toEqual([
      [at("12:00:00"), at("12:03:00"), 2],
      [at("11:45:00"), at("12:00:00"), 1],
      [at("12:02:50"), at("12:03:20"), 1],
    ]);
  });

  it("an expression's metrics are entries beside it, and count", async () => {
    const { asked, read } = source(allAt(1));
    const two = { a: { namespace: "Shop", metric: "a" }, b: { namespace: "Shop", metric: "b" } };
    await read(...Array.from({ length: 200 }, (_, n) => query({ expression: `a + b + ${n}`, metrics: two })));
    expect(asked.map(({ MetricDataQueries }) => MetricDataQueries?.length)).toEqual([498, 102]);
  });

  it("ids are each query's own: names in an expression are told apart from quoted text, numbers and functions", async () => {
    const { asked, read } = source(allAt(1));
    const e5 = { namespace: "Shop", metric: "x" };
    await read(
      query({ expression: "a", metrics: { a: e5 } }),
      query({ expression: `SUM([a, e5]) + 1e5 - FILL(a,0) + SEARCH('a e5', "a")`, metrics: { a: e5, e5 } }),
    );
    const entries = asked[0]?.MetricDataQueries ?? [];
    expect(entries.flatMap(({ Expression }) => Expression ?? [])).toEqual([
      "q0_a",
      `SUM([q1_a, q1_e5]) + 1e5 - FILL(q1_a,0) + SEARCH('a e5', "a")`,
    ]);
    expect(entries.map(({ Id }) => Id)).toEqual(["q0", "q0_a", "q1", "q1_a", "q1_e5"]);
    expect(entries.filter(({ ReturnData }) => ReturnData === false)).toHaveLength(3);
  });

  it("labels of the metric's selector are dimensions", async () => {
    const { asked, read } = source(allAt(1));
    await read(query({ namespace: "AWS/SQS", metric: "Visible" }, "QueueName=orders,env in (prod)"));
    expect(asked[0]?.MetricDataQueries?.[0]?.MetricStat?.Metric?.Dimensions).toEqual([
      { Name: "QueueName", Value: "orders" },
      { Name: "env", Value: "prod" },
    ]);
  });

  it("nothing for a query that cannot be read", async () => {
    const { asked, read } = source(allAt(1));
    const reads = await read(query(undefined), query({ metric: "m" }), orders(0, { periodSeconds: 7 }));
    expect(asked).toEqual([]);
    expect(reads.map((one) => !one.ok && one.fault.message)).toEqual([
      "must be an object",
      "namespace: must be a text",
      "periodSeconds: must be 1, 5, 10, 20, 30 or a multiple of 60",
    ]);
  });
});

describe("what counts as the value", () => {
  const values = (...points: readonly (readonly [string, number])[]): Answer => {
    const results = [
      { Id: "q0", Timestamps: points.map(([time]) => at(time)), Values: points.map(([, value]) => value) },
    ];
    return () => ({ results });
  };

  it.each<[string, Answer, number | string]>([
    ["the newest whole minute", values(["12:02:00", 3], ["12:01:00", 2]), 3_000],
    ["the newest, in whatever order it comes", values(["12:00:00", 1], ["12:01:00", 2]), 2_000],
    ["the third last period is new enough", values(["12:00:00", 1]), 1_000],
    ["an older one is none", values(["11:59:00", 1]), "metric-empty"],
    ["a minute that has not ended is none", values(["12:03:00", 9]), "metric-empty"],
    ["a value below 0 is told as it is", values(["12:02:00", -3]), -3_000],
    ["no datapoint is none", values(), "metric-empty"],
    ["no number is none", values(["12:02:00", Number.NaN]), "metric-empty"],
  ])("%s", async (_case, answer, expected) => {
    const [read] = await source(answer).read(orders());
    expect(read?.ok ? read.value.milliValue : read?.fault.code).toBe(expected);
  });

  it("its instant is the end of its period", async () => {
    const [read] = await source(values(["12:02:00", 3])).read(orders());
    expect(read).toMatchObject({ value: { timestampMs: at("12:03:00").getTime() } });
  });

  it("pages are followed to the end", async () => {
    const page = (value: number, time: string) => ({
      Id: "q0",
      Label: "x",
      Timestamps: [at(time)],
      Values: [value],
    });
    const { asked, read } = source(({ NextToken }) =>
      NextToken === undefined
        ? { results: [page(1, "12:01:00")], next: "more" }
        : { results: [page(2, "12:02:00")] },
    );
    expect(shown(await read(orders()))).toEqual([2_000]);
    expect(asked.map(({ NextToken }) => NextToken)).toEqual([undefined, "more"]);
  });

  it("several series are none: which one is meant cannot be known", async () => {
    const one = (Label: string) => ({ Id: "q0", Label, Timestamps: [at("12:02:00")], Values: [1] });
    const search = query({ expression: "SEARCH('{AWS/SQS,QueueName} Visible', 'Sum')" });
    const [read] = await source(() => ({ results: [one("a"), one("b")] })).read(search);
    expect(read).toMatchObject({ ok: false, fault: { code: "metric-unreadable" } });
    expect(JSON.stringify(read)).toContain("several series; make one of them with SUM()");
  });

  it.each(["InternalError", "Forbidden"] as const)(
    "a result that is %s is a fault that says so",
    async (StatusCode) => {
      const Messages = [{ Code: "x", Value: "because" }];
      const [read] = await source(() => ({ results: [{ Id: "q0", StatusCode, Messages }] })).read(orders());
      expect(read).toEqual({
        ok: false,
        fault: { code: "metric-unreadable", message: `Shop orders-0{}: ${StatusCode}: because` },
      });
    },
  );
});

describe("requests that fail", () => {
  it("a query that takes its request with it is found by halves, and the others have their values", async () => {
    const { asked, read } = source((input) => {
      const isBad = input.MetricDataQueries?.some(
        ({ MetricStat }) => MetricStat?.Metric?.MetricName === "orders-77",
      );
      if (isBad) throw refusal("ValidationError");
      return allAt(1)(input);
    });
    const reads = await read(...Array.from({ length: 200 }, (_, n) => orders(n)));
    expect(reads.flatMap((one, index) => (one.ok ? [] : [index]))).toEqual([77]);
    expect(asked.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(200)));
  });

  it.each([
    [
      "ThrottlingException",
      400,
      "read Shop orders-0{} from CloudWatch: ThrottlingException: refused by the test",
    ],
    [
      "AccessDeniedException",
      403,
      "read Shop orders-0{} from CloudWatch: AccessDeniedException: refused by the test; grant cloudwatch:GetMetricData to the function",
    ],
    [
      "InternalServiceFault",
      500,
      "read Shop orders-0{} from CloudWatch: InternalServiceFault: refused by the test",
    ],
  ])("%s (%i) is no fault of a query, so nothing is asked again", async (name, status, message) => {
    const { asked, read } = source(() => {
      throw refusal(name, status);
    });
    const reads = await read(orders(0), orders(1));
    expect(asked).toHaveLength(1);
    expect(reads[0]).toEqual({ ok: false, fault: { code: "metric-unreadable", message } });
  });
});
