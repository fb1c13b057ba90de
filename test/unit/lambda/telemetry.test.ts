import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logTelemetry } from "#lambda/telemetry";

/** What Lambda reads from a function's standard output. */
let lines: string[];
const { write } = process.stdout;
beforeEach(() => {
  lines = [];
  process.stdout.write = ((text: string | Uint8Array) => lines.push(String(text)) > 0) as typeof write;
});
afterEach(() => {
  process.stdout.write = write;
});

// biome-ignore lint/suspicious/noExplicitAny: the embedded metric format has no types here.
const written = (): any[] => lines.map((line) => JSON.parse(line));

describe("measures in CloudWatch's embedded metric format", () => {
  it("one line per combination of dimensions, values of one name together", () => {
    const telemetry = logTelemetry({ METRICS_NAMESPACE: "Mainsheet/eu" });
    telemetry.record({ hub: "eu" }, { DecisionLatency: 120, ScaleOuts: 0 });
    telemetry.record({ hub: "eu" }, { DecisionLatency: 80 });
    telemetry.record({ hub: "eu", cluster: "member1" }, { Replicas: 7 });
    expect(lines).toEqual([]);
    telemetry.flush();
    expect(written()).toMatchObject([
      {
        service: "mainsheet",
        hub: "eu",
        DecisionLatency: [120, 80],
        ScaleOuts: 0,
        _aws: {
          CloudWatchMetrics: [
            {
              Namespace: "Mainsheet/eu",
              Dimensions: [["service", "hub"]],
              Metrics: [
                { Name: "DecisionLatency", Unit: "Milliseconds" },
                { Name: "ScaleOuts", Unit: "Count" },
              ],
            },
          ],
        },
      },
      {
        hub: "eu",
        cluster: "member1",
        Replicas: 7,
        _aws: { CloudWatchMetrics: [{ Dimensions: [["service", "hub", "cluster"]] }] },
      },
    ]);
  });

  it("is written once, and nothing where nothing was recorded", () => {
    const telemetry = logTelemetry({});
    telemetry.flush();
    telemetry.record({ hub: "eu" }, { MessagesParked: 1 });
    telemetry.flush();
    telemetry.flush();
    expect(written()).toMatchObject([
      { MessagesParked: 1, _aws: { CloudWatchMetrics: [{ Namespace: "Mainsheet" }] } },
    ]);
  });
});
