import { describe, expect, it } from "vitest";
import { decodeCloudWatchQuery } from "#wire/cloudwatch-query";

const visible = { namespace: "AWS/SQS", metric: "ApproximateNumberOfMessagesVisible" };
const fault = (definition: unknown, selector = "") => {
  const read = decodeCloudWatchQuery(definition, selector);
  return read.ok ? "none" : read.fault.detail;
};

describe("a query of one metric", () => {
  it("is the average of a minute unless said", () => {
    expect(decodeCloudWatchQuery(visible, "")).toEqual({
      ok: true,
      value: { periodSeconds: 60, statistics: { m: { ...visible, dimensions: {}, stat: "Average" } } },
    });
  });

  it("has dimensions of its own and from the selector, which says more", () => {
    const definition = {
      ...visible,
      dimensions: { QueueName: "a", Env: "prod" },
      stat: "p99.9",
      periodSeconds: 300,
    };
    expect(decodeCloudWatchQuery(definition, "QueueName=orders")).toMatchObject({
      value: {
        periodSeconds: 300,
        statistics: { m: { dimensions: { QueueName: "orders", Env: "prod" }, stat: "p99.9" } },
      },
    });
  });

  it.each([1, 5, 10, 20, 30, 60, 120, 86_400])("a period of %d s is allowed", (periodSeconds) => {
    expect(fault({ ...visible, periodSeconds })).toBe("none");
  });

  it.each([
    "Average",
    "Sum",
    "Minimum",
    "Maximum",
    "SampleCount",
    "IQM",
    "p50",
    "p99.95",
    "tm90",
    "TM(10%:90%)",
    "PR(:300)",
  ])("%s is a statistic", (stat) => {
    expect(fault({ ...visible, stat })).toBe("none");
  });
});

describe("metric math", () => {
  it("names its metrics, and is read over the same period", () => {
    const definition = { expression: "a - b", metrics: { a: visible, b: { ...visible, stat: "Sum" } } };
    expect(decodeCloudWatchQuery(definition, "")).toEqual({
      ok: true,
      value: {
        periodSeconds: 60,
        expression: "a - b",
        statistics: {
          a: { ...visible, dimensions: {}, stat: "Average" },
          b: { ...visible, dimensions: {}, stat: "Sum" },
        },
      },
    });
  });

  it("needs no metrics where it searches for them itself", () => {
    expect(fault({ expression: "SUM(SEARCH('{AWS/SQS,QueueName} Visible', 'Sum'))" })).toBe("none");
  });
});

describe("what is wrong is one sentence with its place", () => {
  it.each<[unknown, string, string]>([
    [undefined, "", "must be an object"],
    ["orders", "", "must be an object"],
    [{ metric: "x" }, "", "namespace: must be a text"],
    [{ ...visible, namespace: "" }, "", "namespace: must not be empty"],
    [{ ...visible, periodSeconds: 7 }, "", "periodSeconds: must be 1, 5, 10, 20, 30 or a multiple of 60"],
    [{ ...visible, periodSeconds: 0 }, "", "periodSeconds: must be 1, 5, 10, 20, 30 or a multiple of 60"],
    [{ ...visible, periodSeconds: 90_000 }, "", "periodSeconds: must be at most a day, 86400"],
    [
      { ...visible, stat: "median" },
      "",
      "stat: must be a statistic such as Average, Sum, Minimum, Maximum, SampleCount or p99",
    ],
    [{ ...visible, dimensions: { QueueName: 7 } }, "", "dimensions.QueueName: must be a text"],
    [
      { ...visible, dimensions: Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`d${i}`, "x"])) },
      "",
      "dimensions: must have at most 30",
    ],
    [
      { expression: "SUM(METRICS())" },
      "",
      "expression: must name its metrics: METRICS() would mean those of other objects too",
    ],
    [
      { expression: "a", metrics: { A: visible } },
      "",
      "metrics.A: must begin with a lower-case letter, then letters, digits, _",
    ],
    [{ expression: "a", metrics: { a: { metric: "x" } } }, "", "metrics.a.namespace: must be a text"],
    [
      { expression: "a", metrics: { a: visible } },
      "QueueName=orders",
      "a selector cannot be told apart among an expression's metrics; write dimensions instead",
    ],
    [
      visible,
      "QueueName!=orders",
      "the selector QueueName!=orders is no list of key=value, and CloudWatch has dimensions only",
    ],
    [
      visible,
      "q in (a,b)",
      "the selector q in (a,b) is no list of key=value, and CloudWatch has dimensions only",
    ],
  ])("%j with %j: %s", (definition, selector, detail) => {
    expect(fault(definition, selector)).toBe(detail);
  });

  it("a member that nobody knows is named: it would be left out otherwise", () => {
    expect(fault({ ...visible, period: 60 })).toContain("period");
  });
});
