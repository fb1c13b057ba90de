import { describe, expect, it } from "vitest";
import { parseBusEvent } from "#wire/bus-event";

const ENVELOPE = {
  version: "0",
  id: "e-1",
  account: "000000000000",
  region: "eu-central-1",
  time: "2026-03-01T09:00:00Z",
  resources: [],
};
const CHANGED = { v: 1, id: "u:7", hub: "hub", kind: "Cluster", name: "m1", change: "modified" };

const body = (source: string, detailType: string, detail: unknown, more: object = {}) =>
  JSON.stringify({ ...ENVELOPE, source, "detail-type": detailType, detail, ...more });

describe("an event in a message", () => {
  it.each([
    {
      name: "a change from the relay has the relay's id",
      body: body("mainsheet", "ObjectChanged", CHANGED),
      event: { type: "ObjectChanged", id: "u:7", detail: CHANGED },
    },
    {
      name: "a field of a later version is passed over",
      body: body("mainsheet", "ObjectChanged", { ...CHANGED, colour: "red" }),
      event: { type: "ObjectChanged", id: "u:7", detail: CHANGED },
    },
    {
      name: "a request without an id has EventBridge's",
      body: body("mainsheet", "ReconcileRequested", { v: 1, hub: "hub", namespace: "shop", name: "web" }),
      event: {
        type: "ReconcileRequested",
        id: "e-1",
        detail: { v: 1, hub: "hub", namespace: "shop", name: "web" },
      },
    },
    {
      name: "an alarm has its name",
      body: body("aws.cloudwatch", "CloudWatch Alarm State Change", {
        alarmName: "queue-deep",
        state: { value: "ALARM" },
      }),
      event: {
        type: "AlarmChanged",
        id: "e-1",
        detail: { alarmName: "queue-deep" },
      },
    },
    {
      name: "what an archive sends again is another event",
      body: body("mainsheet", "ObjectChanged", CHANGED, { "replay-name": "again" }),
      event: { type: "ObjectChanged", id: "u:7~again", detail: CHANGED },
    },
    {
      name: "our own news is nothing to act on",
      body: body("mainsheet", "ScaleDecided", { v: 1 }),
      event: {
        type: "unknown",
        id: "e-1",
        source: "mainsheet",
        detailType: "ScaleDecided",
      },
    },
    {
      name: "the name of one of our types means nothing from another source",
      body: body("shop", "ObjectChanged", { v: 9 }),
      event: {
        type: "unknown",
        id: "e-1",
        source: "shop",
        detailType: "ObjectChanged",
      },
    },
  ])("$name", ({ body, event }) => {
    expect(parseBusEvent(body)).toEqual({ ok: true, value: event });
  });

  it.each([
    { name: "no JSON", body: "hello", fault: "not JSON: hello" },
    { name: "no envelope", body: "{}", fault: /^id: / },
    { name: "a detail that is a list", body: body("shop", "x", []), fault: /^detail: / },
    {
      name: "another version",
      body: body("mainsheet", "ObjectChanged", { ...CHANGED, v: 2 }),
      fault: /^detail.v: /,
    },
    {
      name: "no hub",
      body: body("mainsheet", "ReconcileRequested", { v: 1, namespace: "a", name: "b" }),
      fault: /^detail.hub: /,
    },
    {
      name: "a request for nothing",
      body: body("mainsheet", "ReconcileRequested", { v: 1, hub: "hub", namespace: "shop" }),
      fault: "detail: needs namespace and name of a FederatedHPA, or a target, and not both",
    },
    {
      name: "an alarm without a name",
      body: body("aws.cloudwatch", "CloudWatch Alarm State Change", {}),
      fault: /^detail.alarmName: /,
    },
  ])("$name is a fault", ({ body, fault }) => {
    expect(parseBusEvent(body)).toEqual({
      ok: false,
      fault: typeof fault === "string" ? fault : expect.stringMatching(fault),
    });
  });
});
