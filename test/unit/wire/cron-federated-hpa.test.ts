import { describe, expect, it } from "vitest";
import { cronStatusPatch, decodeCronFederatedHpa } from "#wire/cron-federated-hpa";

const MS = Date.parse("2026-03-02T08:30:00Z");

const raw = {
  metadata: {
    name: "shop",
    namespace: "default",
    uid: "u-1",
    generation: 3,
    resourceVersion: "77",
    creationTimestamp: "2026-03-01T00:00:00Z",
    managedFields: [
      { manager: "kubectl", operation: "Apply", time: "2026-03-02T07:00:00Z", fieldsV1: { "f:spec": {} } },
      {
        manager: "mainsheet",
        operation: "Update",
        subresource: "status",
        time: "2026-03-02T08:00:00Z",
        fieldsV1: { "f:status": {} },
      },
    ],
  },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "shop" },
    rules: [
      { name: "a", schedule: "30 8 * * *", targetReplicas: 0, timeZone: "Europe/Berlin" },
      { name: "b", schedule: "@daily", suspend: true, targetMinReplicas: 2, failedHistoryLimit: 0 },
    ],
  },
  status: {
    executionHistories: [
      {
        ruleName: "a",
        nextExecutionTime: "2026-03-02T08:30:00Z",
        successfulExecutions: [
          { scheduleTime: "2026-03-02T08:30:00Z", executionTime: "2026-03-02T08:30:01Z", appliedReplicas: 0 },
        ],
      },
    ],
  },
};

describe("a CronFederatedHPA as the API has it", () => {
  it("is read with its limits, its instants and the last write of its spec", () => {
    const cron = decodeCronFederatedHpa(raw);
    expect(cron).toMatchObject({
      uid: "u-1",
      generation: 3,
      createdMs: Date.parse("2026-03-01T00:00:00Z"),
      specWrittenMs: Date.parse("2026-03-02T07:00:00Z"),
      invalid: [],
    });
    expect(cron.rules).toMatchObject([
      { targetReplicas: 0, suspend: false, successfulHistoryLimit: 3, failedHistoryLimit: 3 },
      { suspend: true, failedHistoryLimit: 0 },
    ]);
    expect(cron.executionHistories).toEqual([
      {
        ruleName: "a",
        nextExecutionMs: MS,
        successfulExecutions: [{ scheduleMs: MS, executionMs: MS + 1000, appliedReplicas: 0 }],
        failedExecutions: [],
      },
    ]);
  });

  it("what does not fit its type is a fault, never thrown; a foreign status is none", () => {
    expect(decodeCronFederatedHpa({ spec: { rules: "none" } }).invalid).toMatchObject([
      { path: "spec.rules" },
    ]);
    expect(decodeCronFederatedHpa({ ...raw, status: { executionHistories: 3 } }).invalid).toEqual([]);
    expect(decodeCronFederatedHpa(null).rules).toEqual([]);
  });
});

describe("the patch of its status", () => {
  const before = decodeCronFederatedHpa(raw).executionHistories;

  it("is none when nothing changed on the wire", () => {
    expect(cronStatusPatch(before, before)).toBeUndefined();
    const [history] = before;
    if (history === undefined) throw new Error("the object has a history");
    expect(cronStatusPatch(before, [{ ...history, nextExecutionMs: MS + 999 }])).toBeUndefined();
  });

  it("holds the whole list, instants in whole seconds, empty lists left out", () => {
    const failed = { scheduleMs: MS, executionMs: MS + 999, message: "no" };
    const after = [{ ruleName: "b", successfulExecutions: [], failedExecutions: [failed] }];
    expect(cronStatusPatch(before, after)).toEqual({
      status: {
        executionHistories: [
          {
            ruleName: "b",
            failedExecutions: [
              { scheduleTime: "2026-03-02T08:30:00Z", executionTime: "2026-03-02T08:30:00Z", message: "no" },
            ],
          },
        ],
      },
    });
  });
});
