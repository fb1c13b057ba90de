import { UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { dynamoDocuments } from "#adapters/dynamodb/client";
import { dynamoTable } from "#adapters/dynamodb/table";
import { isPortFault, PortFault } from "#ports/fault";
import { type AwsEndpoint, awsEndpoint, TABLE } from "#test/contract/aws-endpoint";
import { first, refusal } from "#test/contract/faulty-proxy";
import { tableContract } from "#test/contract/table.contract";

const READ = { nowMs: 0, consistent: true };

/** One attempt: what the SDK would send again by itself, the contract sends again. */
tableContract("DynamoDB over HTTP", async () => {
  const aws = await awsEndpoint();
  const documents = dynamoDocuments({ ...aws.client, maxAttempts: 1 });
  return {
    table: dynamoTable(TABLE, { documents, clock: aws.clock }),
    clock: aws.clock,
    loseAnswer: () => aws.proxy.intercept(first(1, "PutItem", { lose: true })),
    throttle: () => aws.proxy.intercept(() => refusal("ThrottlingException")),
    cut: () => aws.proxy.intercept(() => ({ forward: false, lose: true })),
    async close() {
      documents.destroy();
      await aws.close();
    },
  };
});

describe("DynamoDB, beside the contract", () => {
  let aws: AwsEndpoint;
  let documents: ReturnType<typeof dynamoDocuments>;
  beforeAll(async () => {
    aws = await awsEndpoint();
    documents = dynamoDocuments(aws.client);
  });
  afterEach(() => aws.proxy.intercept(() => undefined));
  afterAll(async () => {
    documents.destroy();
    await aws.close();
  });
  const table = () => dynamoTable(TABLE, { documents, clock: aws.clock });

  it("keys that a BatchGet left unprocessed are asked again, those alone", async () => {
    const keys = Array.from({ length: 5 }, (_, n) => ({ pk: "u", sk: String(n) }));
    await Promise.all(keys.map((key, n) => table().put({ ...key, n }, { if: "none" })));
    const asked: number[] = [];
    aws.proxy.intercept((operation, input) => {
      if (operation !== "BatchGetItem") return undefined;
      const request = (input as { RequestItems: Record<string, { Keys: object[] }> }).RequestItems[TABLE];
      const all = request?.Keys ?? [];
      asked.push(all.length);
      const left = all.slice(2);
      return {
        forward: { RequestItems: { [TABLE]: { ...request, Keys: all.slice(0, 2) } } },
        answer: (output) => ({
          ...output,
          UnprocessedKeys: left.length === 0 ? {} : { [TABLE]: { ...request, Keys: left } },
        }),
      };
    });
    const items = await table().getMany(keys, READ);
    expect(items.map((item) => item?.n)).toEqual([0, 1, 2, 3, 4]);
    expect(asked).toEqual([5, 3, 1]);
  });

  it("keys that stay unprocessed are `throttled`, not missing", async () => {
    aws.proxy.intercept((operation, input) =>
      operation === "BatchGetItem"
        ? { forward: false, answer: () => ({ Responses: {}, UnprocessedKeys: input.RequestItems }) }
        : undefined,
    );
    const fault = await table()
      .getMany([{ pk: "u", sk: "1" }], READ)
      .catch((error) => error);
    expect(isPortFault(fault, "throttled")).toBe(true);
    expect(fault.message).toMatch(/1 still unprocessed after 5 requests/);
  });

  it.each([
    ["ResourceNotFoundException", 400, "missing"],
    ["AccessDeniedException", 400, "denied"],
    ["ProvisionedThroughputExceededException", 400, "throttled"],
    ["ValidationException", 400, "invalid"],
    ["InternalServerError", 500, "unavailable"],
    ["SomethingNewException", 400, "invalid"],
  ])("%s (%i) is `%s`, with the SDK's error as cause", async (name, status, kind) => {
    aws.proxy.intercept(() => refusal(name, status));
    const once = dynamoDocuments({ ...aws.client, maxAttempts: 1 });
    const fault = await dynamoTable(TABLE, { documents: once })
      .get({ pk: "a", sk: "b" }, READ)
      .catch((error) => error);
    once.destroy();
    expect(fault).toBeInstanceOf(PortFault);
    expect(fault.kind).toBe(kind);
    expect(fault.message).toBe(`get ${TABLE} a b: ${name}: as the test wants it`);
    expect(fault.cause.name).toBe(name);
  });

  it("a table that is not there is `missing`", async () => {
    const fault = await dynamoTable("nowhere", { documents })
      .put({ pk: "a", sk: "b" }, { if: "none" })
      .catch((error) => error);
    expect(isPortFault(fault, "missing")).toBe(true);
  });

  it("the SDK sends a lost write again, and the table finds its own writeId: one put for its caller", async () => {
    const before = aws.proxy.calls.get("PutItem") ?? 0;
    aws.proxy.intercept(first(1, "PutItem", { lose: true }));
    await table().put({ pk: "w", sk: "1", version: 1, writeId: "w1" }, { if: "absent" });
    expect((aws.proxy.calls.get("PutItem") ?? 0) - before).toBe(2);
  });

  it("UpdateTimeToLive is taken, which dynalite does not know", async () => {
    const answer = await documents.send(
      new UpdateTimeToLiveCommand({
        TableName: TABLE,
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      }),
    );
    expect(answer.TimeToLiveSpecification).toEqual({ AttributeName: "ttl", Enabled: true });
  });

  it("a client that goes away in the middle of a request does not take the endpoint with it", async () => {
    const abort = new AbortController();
    const puts = Array.from({ length: 8 }, (_, n) =>
      documents.send(
        new PutCommand({ TableName: TABLE, Item: { pk: "abort", sk: String(n), text: "x".repeat(50_000) } }),
        {
          abortSignal: abort.signal,
        },
      ),
    );
    setTimeout(() => abort.abort(), 2);
    await Promise.allSettled(puts);
    await table().put({ pk: "abort", sk: "after" }, { if: "none" });
    expect(await table().get({ pk: "abort", sk: "after" }, READ)).toEqual({ pk: "abort", sk: "after" });
  });
});
