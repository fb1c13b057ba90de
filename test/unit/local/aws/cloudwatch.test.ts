import {
  CloudWatchClient,
  GetMetricDataCommand,
  type MetricDataQuery,
  type MetricDatum,
  PutMetricDataCommand,
} from "@aws-sdk/client-cloudwatch";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AwsEndpoint, awsEndpoint } from "#test/contract/aws-endpoint";

const MINUTE_MS = 60_000;

describe("CloudWatch on this machine", () => {
  let aws: AwsEndpoint;
  let client: CloudWatchClient;
  let metrics = 0;
  let name = "";
  beforeAll(async () => {
    aws = await awsEndpoint();
    client = new CloudWatchClient({ ...aws.client, endpoint: aws.endpoint, maxAttempts: 1 });
  });
  afterAll(async () => {
    client.destroy();
    await aws.close();
  });
  beforeEach(() => {
    metrics += 1;
    name = `metric-${metrics}`;
  });

  const minutesAgo = (minutes: number) => new Date(aws.clock.nowMs() - minutes * MINUTE_MS);
  const put = (...MetricData: readonly Partial<MetricDatum>[]) =>
    client.send(
      new PutMetricDataCommand({
        Namespace: "Shop",
        MetricData: MetricData.map((datum) => ({ MetricName: name, ...datum })),
      }),
    );
  const stat = (Stat: string, more: object = {}): MetricDataQuery => ({
    Id: "m",
    MetricStat: { Metric: { Namespace: "Shop", MetricName: name }, Period: 60, Stat, ...more },
  });
  async function get(queries: MetricDataQuery | readonly MetricDataQuery[], more: object = {}) {
    const answer = await client.send(
      new GetMetricDataCommand({
        MetricDataQueries: [queries].flat() as MetricDataQuery[],
        StartTime: minutesAgo(10),
        EndTime: minutesAgo(0),
        ...more,
      }),
    );
    return answer.MetricDataResults ?? [];
  }
  const values = async (query: MetricDataQuery) => (await get(query))[0]?.Values;
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => "none",
      (error: Error) => `${error.name}: ${error.message}`,
    );

  it.each([
    ["Average", 4],
    ["Sum", 12],
    ["Minimum", 1],
    ["Maximum", 9],
    ["SampleCount", 3],
    ["p50", 2],
    ["p100", 9],
  ])("%s of the values 1, 2 and 9 of a minute is %d", async (statistic, expected) => {
    await put(...[1, 2, 9].map((Value) => ({ Value, Timestamp: minutesAgo(2) })));
    expect(await values(stat(statistic))).toEqual([expected]);
  });

  it("values with counts and statistic sets are added", async () => {
    const Timestamp = minutesAgo(2);
    await put({ Values: [1, 5], Counts: [3, 1], Timestamp });
    await put({ StatisticValues: { SampleCount: 4, Sum: 12, Minimum: 0, Maximum: 8 }, Timestamp });
    expect(await values(stat("Average"))).toEqual([20 / 8]);
    expect(await values(stat("Maximum"))).toEqual([8]);
    expect(await values(stat("p50"))).toEqual([]);
  });

  it("datapoints come by period, the newest first unless asked otherwise, and none where nothing was put", async () => {
    await put(...[1, 2, 4].map((minutes) => ({ Value: minutes, Timestamp: minutesAgo(minutes) })), {
      Value: 99,
      Timestamp: minutesAgo(0),
    });
    const [newestFirst] = await get(stat("Sum"));
    expect(newestFirst).toMatchObject({ Id: "m", Label: name, StatusCode: "Complete", Values: [1, 2, 4] });
    expect(newestFirst?.Timestamps).toEqual([1, 2, 4].map(minutesAgo));
    expect((await get(stat("Sum"), { ScanBy: "TimestampAscending" }))[0]?.Values).toEqual([4, 2, 1]);
    expect(await values(stat("Sum", { Period: 300 }))).toEqual([7]);
  });

  it("dimensions are part of the name, in whatever order", async () => {
    const Dimensions = [
      { Name: "b", Value: "2" },
      { Name: "a", Value: "1" },
    ];
    await put({ Value: 5, Timestamp: minutesAgo(1), Dimensions });
    const Metric = { Namespace: "Shop", MetricName: name };
    expect(
      await values(stat("Sum", { Metric: { ...Metric, Dimensions: [...Dimensions].reverse() } })),
    ).toEqual([5]);
    expect(await values(stat("Sum"))).toEqual([]);
  });

  it("values are of their minute, unless they are put in full resolution", async () => {
    const Timestamp = new Date(minutesAgo(1).getTime() + 42_000);
    await put({ Value: 1, Timestamp }, { Value: 2, Timestamp, StorageResolution: 1 });
    expect((await get(stat("Sum", { Period: 10 })))[0]?.Timestamps).toEqual([
      new Date(minutesAgo(1).getTime() + 40_000),
      minutesAgo(1),
    ]);
  });

  it("a body that the SDK compresses is read", async () => {
    await put(...Array.from({ length: 900 }, () => ({ Value: 1, Timestamp: minutesAgo(1) })));
    expect(await values(stat("SampleCount"))).toEqual([900]);
  });

  describe("metric math", () => {
    const evaluate = async (Expression: string) => {
      const other: MetricDataQuery = { ...stat("Minimum"), Id: "low", ReturnData: false };
      const [result, ...rest] = await get([
        { Id: "e", Expression },
        { ...stat("Maximum"), Id: "high", ReturnData: false },
        other,
      ]);
      expect(rest).toEqual([]);
      return result?.Values;
    };
    beforeEach(() =>
      put(
        { Values: [1, 3], Timestamp: minutesAgo(1) },
        { Values: [2, 8], Timestamp: minutesAgo(2) },
        { Values: [0, 4], Timestamp: minutesAgo(4) },
      ),
    );

    it.each<[string, readonly number[]]>([
      ["high", [3, 8, 4]],
      ["high - low", [2, 6, 4]],
      ["high + low * 2", [5, 12, 4]],
      ["(high + low) * 2", [8, 20, 8]],
      ["-high ^ 2", [9, 64, 16]],
      ["high / low", [3, 4]],
      ["10 - high", [7, 2, 6]],
      ["high / SUM(low)", [1, 8 / 3, 4 / 3]],
      ["MAX([high, low * 3])", [3, 8, 4]],
      ["AVG([high, low])", [2, 5, 2]],
      ["CEIL(high / 2.5)", [2, 4, 2]],
    ])("%s", async (expression, expected) => {
      expect(await evaluate(expression)).toEqual(expected);
    });

    it("FILL gives every period of the request a value", async () => {
      expect(await evaluate("FILL(high, 0)")).toEqual([3, 8, 0, 4, 0, 0, 0, 0, 0, 0]);
    });

    it.each([
      ["high +", `Error in expression 'e': "" is no id of the request`],
      ["SUM(high)", "Error in expression 'e': it makes no time series"],
      ["nobody", `Error in expression 'e': "nobody" is no id of the request`],
      ["high ? 1", "Error in expression 'e': it holds a character of no meaning here"],
      ["high low", `Error in expression 'e': "low" is not expected there`],
      ["SEARCH(high)", "Error in expression 'e': SEARCH of 1 is not played here"],
    ])("%s is refused with the whole request", async (expression, message) => {
      expect(await refusal(evaluate(expression))).toBe(`ValidationException: ${message}`);
    });
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      "501 queries",
      () => get(Array.from({ length: 501 }, (_, i) => ({ ...stat("Sum"), Id: `q${i}` }))),
      /must not have a size greater than 500/,
    ],
    ["no query", () => get([]), /MetricDataQueries is required/],
    ["two queries of one id", () => get([stat("Sum"), stat("Average")]), /are not unique/],
    ["an id with a capital", () => get({ ...stat("Sum"), Id: "Q" }), /must begin with a lower-case letter/],
    [
      "a period of 7 s",
      () => get(stat("Sum", { Period: 7 })),
      /Period must be 1, 5, 10, 20, 30 or a multiple of 60/,
    ],
    ["a statistic that is not played", () => get(stat("IQM")), /IQM for parameter Stat is not supported/],
    ["an end before its start", () => get(stat("Sum"), { EndTime: minutesAgo(20) }), /must be less than/],
    ["neither metric nor expression", () => get({ Id: "q" }), /must have one of MetricStat and Expression/],
    [
      "a value of two weeks ago",
      () => put({ Value: 1, Timestamp: minutesAgo(21_000) }),
      /older than two weeks/,
    ],
    ["no value", () => put({}), /Value is required/],
  ])("refuses %s", async (_case, attempt, message) => {
    expect(await refusal(attempt())).toMatch(message);
  });
});
