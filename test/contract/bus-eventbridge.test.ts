import { describe, expect, it } from "vitest";
import { eventBridgeBus } from "#adapters/eventbridge/bus";
import { eventBridgeClient } from "#adapters/eventbridge/client";
import { awsEndpoint } from "#test/contract/aws-endpoint";
import { busContract } from "#test/contract/bus.contract";
import { expectFault } from "#test/contract/expect-fault";
import { type Intercept, refusal } from "#test/contract/faulty-proxy";

interface Entry {
  readonly Source: string;
}

busContract("EventBridge over HTTP", async () => {
  const aws = await awsEndpoint();
  const client = eventBridgeClient({ ...aws.client, maxAttempts: 1 });
  return {
    bus: eventBridgeBus("mainsheet", client),
    arrived: () =>
      aws.events.map(({ event }) => ({
        source: event.source,
        detailType: event["detail-type"],
        detail: event.detail,
        atMs: Date.parse(event.time),
        resources: event.resources,
      })),
    refuse: (sources, times) => aws.proxy.intercept(failingEntries(sources, times)),
    throttle: () => aws.proxy.intercept(() => refusal("ThrottlingException")),
    cut: () => aws.proxy.intercept(() => ({ forward: false, lose: true })),
    async close() {
      client.destroy();
      await aws.close();
    },
  };
});

/** A service that answers 200 and fails some entries (B91); what it answers is in the order of what it was sent. */
function failingEntries(sources: readonly string[], times: number): Intercept {
  const left = new Map(sources.map((source) => [source, times]));
  return (_operation, input) => {
    const entries = input.Entries as Entry[];
    const isFailing = entries.map(({ Source: source }) => {
      const count = left.get(source) ?? 0;
      left.set(source, count - 1);
      return count > 0;
    });
    const passing = entries.filter((_, i) => !isFailing[i]);
    return {
      forward: passing.length === 0 ? false : { Entries: passing },
      answer: (output) => {
        const passed = [...((output.Entries ?? []) as object[])];
        return {
          FailedEntryCount: isFailing.filter(Boolean).length,
          Entries: isFailing.map((fails) =>
            fails ? { ErrorCode: "InternalFailure", ErrorMessage: "refused by the test" } : passed.shift(),
          ),
        };
      },
    };
  };
}

describe("EventBridge, beside the contract", () => {
  it.each([
    ["AccessDeniedException", 400, "denied"],
    ["InternalException", 500, "unavailable"],
    ["ValidationException", 400, "invalid"],
  ] as const)("%s (%i) is `%s`, with the SDK's error as cause", async (name, status, kind) => {
    const aws = await awsEndpoint();
    const client = eventBridgeClient({ ...aws.client, maxAttempts: 1 });
    aws.proxy.intercept(() => refusal(name, status));
    const event = { source: "a", detailType: "b", detail: {}, atMs: 0 };
    const fault = await expectFault(kind, eventBridgeBus("mainsheet", client).put([event]));
    expect(fault.message).toBe(`put 1 events on bus mainsheet: ${name}: as the test wants it`);
    expect((fault.cause as Error).name).toBe(name);
    client.destroy();
    await aws.close();
  });
});
