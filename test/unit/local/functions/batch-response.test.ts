import { describe, expect, it } from "vitest";
import { failedMessages } from "#infra/local/functions/batch-response";

const IDS = ["a", "b", "c"];

/** Lambda Developer Guide, "Success and failure conditions" of ReportBatchItemFailures (B87). */
describe("what a function's answer says of its batch", () => {
  it.each([
    ["null", null, []],
    ["nothing", undefined, []],
    ["an empty object", {}, []],
    ["an empty list", { batchItemFailures: [] }, []],
    ["a null list", { batchItemFailures: null }, []],
    ["one failure", { batchItemFailures: [{ itemIdentifier: "b" }] }, ["b"]],
    [
      "the same failure twice",
      { batchItemFailures: [{ itemIdentifier: "b" }, { itemIdentifier: "b" }] },
      ["b"],
    ],
    ["all of them", { batchItemFailures: IDS.map((itemIdentifier) => ({ itemIdentifier })) }, IDS],
    ["an empty identifier: the whole batch", { batchItemFailures: [{ itemIdentifier: "" }] }, IDS],
    ["a null identifier: the whole batch", { batchItemFailures: [{ itemIdentifier: null }] }, IDS],
    ["a wrong key: the whole batch", { batchItemFailures: [{ messageId: "b" }] }, IDS],
    ["an unknown message: the whole batch", { batchItemFailures: [{ itemIdentifier: "z" }] }, IDS],
    ["no object in the list: the whole batch", { batchItemFailures: [null] }, IDS],
    ["no list: the whole batch", { batchItemFailures: "b" }, IDS],
    ["a text: the whole batch", "ok", IDS],
  ])("%s", (_what, response, failed) => {
    expect([...failedMessages(response, IDS)]).toEqual(failed);
  });
});
