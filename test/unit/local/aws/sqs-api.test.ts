import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sqsClient } from "#adapters/sqs/client";
import { type AwsEndpoint, awsEndpoint } from "#test/contract/aws-endpoint";

/** The SDK checks MD5 sums by itself. */
describe("SQS over HTTP, through the SDK", () => {
  let aws: AwsEndpoint;
  let client: ReturnType<typeof sqsClient>;
  beforeAll(async () => {
    aws = await awsEndpoint();
    client = sqsClient({ ...aws.client, maxAttempts: 1 });
  });
  beforeEach(async () => {
    for (const name of aws.queues.names) {
      await client.send(new PurgeQueueCommand({ QueueUrl: aws.url(name) }));
    }
    // De-duplication ids of the test before are forgotten.
    await aws.clock.advance(300_000);
  });
  afterAll(async () => {
    client.destroy();
    await aws.close();
  });

  const send = (queue: string, body: string, more: Partial<SendMessageCommandInput> = {}) =>
    client.send(new SendMessageCommand({ QueueUrl: aws.url(queue), MessageBody: body, ...more }));
  const receive = (queue: string, more: Partial<ReceiveMessageCommandInput> = {}) =>
    client.send(
      new ReceiveMessageCommand({ QueueUrl: aws.url(queue), MessageSystemAttributeNames: ["All"], ...more }),
    );
  const nameOf = (outcome: Promise<unknown>) =>
    outcome.then(
      () => "accepted",
      (error: Error) => error.name,
    );

  it("a standard message arrives with its attributes", async () => {
    const sent = await send("standard", "帆", { DelaySeconds: 5 });
    const sentAtMs = aws.clock.nowMs();
    expect((await receive("standard")).Messages).toBeUndefined();
    await aws.clock.advance(7_000);
    const { Messages = [] } = await receive("standard");
    expect(Messages).toMatchObject([
      {
        MessageId: sent.MessageId,
        Body: "帆",
        Attributes: {
          ApproximateReceiveCount: "1",
          SentTimestamp: String(sentAtMs),
          ApproximateFirstReceiveTimestamp: String(sentAtMs + 7_000),
        },
      },
    ]);
    expect(Messages[0]?.Attributes).not.toHaveProperty("SequenceNumber");
    expect(sent.SequenceNumber).toBeUndefined();
  });

  it("a FIFO message arrives with group, de-duplication id and sequence number", async () => {
    const sent = await send("ordered.fifo", "a", { MessageGroupId: "g", MessageDeduplicationId: "d" });
    const { Messages = [] } = await receive("ordered.fifo");
    expect(sent.SequenceNumber).toMatch(/^\d{20}$/);
    expect(Messages[0]?.Attributes).toMatchObject({
      MessageGroupId: "g",
      MessageDeduplicationId: "d",
      SequenceNumber: sent.SequenceNumber,
    });
  });

  it("gives only the attributes that were asked for", async () => {
    await send("standard", "a");
    const { Messages = [] } = await receive("standard", { MessageSystemAttributeNames: ["SentTimestamp"] });
    expect(Object.keys(Messages[0]?.Attributes ?? {})).toEqual(["SentTimestamp"]);
  });

  it("delete, visibility and their faults", async () => {
    await send("standard", "a");
    const { Messages = [] } = await receive("standard");
    const receipt = { QueueUrl: aws.url("standard"), ReceiptHandle: Messages[0]?.ReceiptHandle };
    await client.send(new ChangeMessageVisibilityCommand({ ...receipt, VisibilityTimeout: 0 }));
    const { Messages: again = [] } = await receive("standard");
    expect(again[0]?.Attributes?.ApproximateReceiveCount).toBe("2");
    const latest = { ...receipt, ReceiptHandle: again[0]?.ReceiptHandle };
    await client.send(new DeleteMessageCommand(latest));
    expect(await nameOf(client.send(new DeleteMessageCommand(latest)))).toBe("accepted");
    expect(
      await nameOf(client.send(new ChangeMessageVisibilityCommand({ ...latest, VisibilityTimeout: 1 }))),
    ).toBe("MessageNotInflight");
    expect(
      await nameOf(client.send(new ChangeMessageVisibilityCommand({ ...latest, VisibilityTimeout: 43_201 }))),
    ).toBe("InvalidParameterValue");
    expect(await nameOf(client.send(new DeleteMessageCommand({ ...latest, ReceiptHandle: "none" })))).toBe(
      "ReceiptHandleIsInvalid",
    );
  });

  it("a batch of deletes answers entry by entry", async () => {
    await send("standard", "a");
    const { Messages = [] } = await receive("standard");
    const answer = await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: aws.url("standard"),
        Entries: [
          { Id: "good", ReceiptHandle: Messages[0]?.ReceiptHandle },
          { Id: "bad", ReceiptHandle: "none" },
        ],
      }),
    );
    expect(answer.Successful?.map(({ Id }) => Id)).toEqual(["good"]);
    expect(answer.Failed).toMatchObject([{ Id: "bad", Code: "ReceiptHandleIsInvalid", SenderFault: true }]);
  });

  it.each([
    ["EmptyBatchRequest", []],
    [
      "TooManyEntriesInBatchRequest",
      Array.from({ length: 11 }, (_, i) => ({ Id: `${i}`, MessageBody: "a" })),
    ],
    ["BatchEntryIdsNotDistinct", [1, 2].map(() => ({ Id: "same", MessageBody: "a" }))],
    ["BatchRequestTooLong", [1, 2].map((n) => ({ Id: `${n}`, MessageBody: "a".repeat(600_000) }))],
  ])("a batch is refused whole: %s", async (name, Entries) => {
    const outcome = client.send(new SendMessageBatchCommand({ QueueUrl: aws.url("standard"), Entries }));
    expect(await nameOf(outcome)).toBe(name);
  });

  it.each<[string, string, Partial<SendMessageCommandInput>]>([
    ["InvalidParameterValue", "standard", { DelaySeconds: 901 }],
    ["InvalidParameterValue", "standard", { MessageBody: "a".repeat(1_048_577) }],
    ["InvalidMessageContents", "standard", { MessageBody: "\u0000" }],
    ["InvalidParameterValue", "ordered.fifo", { MessageGroupId: "g" }],
    ["MissingParameter", "ordered.fifo", { MessageDeduplicationId: "d" }],
    ["InvalidParameterValue", "ordered.fifo", { MessageGroupId: "a b", MessageDeduplicationId: "d" }],
    [
      "UnsupportedOperation",
      "standard",
      { MessageAttributes: { a: { DataType: "String", StringValue: "b" } } },
    ],
    ["QueueDoesNotExist", "nowhere", {}],
  ])("a message is refused: %s (%s %j)", async (name, queue, more) => {
    expect(await nameOf(send(queue, "a", more))).toBe(name);
  });

  it("queues are found and described", async () => {
    const { QueueUrls } = await client.send(new ListQueuesCommand({ QueueNamePrefix: "or" }));
    expect(QueueUrls?.map((url) => new URL(url).pathname)).toEqual(["/000000000000/ordered.fifo"]);
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: "standard" }));
    await send("standard", "a");
    await send("standard", "b", { DelaySeconds: 5 });
    await receive("standard");
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: QueueUrl, AttributeNames: ["All"] }),
    );
    expect(Attributes).toMatchObject({
      QueueArn: "arn:aws:sqs:us-east-1:000000000000:standard",
      ApproximateNumberOfMessages: "0",
      ApproximateNumberOfMessagesNotVisible: "1",
      ApproximateNumberOfMessagesDelayed: "1",
      VisibilityTimeout: "60",
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: "arn:aws:sqs:us-east-1:000000000000:dead",
        maxReceiveCount: 3,
      }),
    });
    expect(await nameOf(client.send(new GetQueueUrlCommand({ QueueName: "nowhere" })))).toBe(
      "QueueDoesNotExist",
    );
  });

  it("a long poll answers when a message becomes visible, and with none after its time", async () => {
    const waiting = receive("standard", { WaitTimeSeconds: 5 });
    setTimeout(() => send("standard", "a").then(() => aws.clock.advance(0)), 30);
    expect((await waiting).Messages?.map(({ Body }) => Body)).toEqual(["a"]);
    const startedAt = performance.now();
    expect((await receive("standard", { WaitTimeSeconds: 1 })).Messages).toBeUndefined();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it.each([
    ["an operation that this machine does not play", "AmazonSQS.TagQueue", "{}", "UnknownOperationException"],
    ["a service that it does not play", "Kinesis_20131202.PutRecord", "{}", "UnknownOperationException"],
    ["a body that is not JSON", "AmazonSQS.SendMessage", "{", "SerializationException"],
  ])("says no to %s", async (_what, target, body, name) => {
    const response = await fetch(aws.endpoint, {
      method: "POST",
      headers: { "x-amz-target": target },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ __type: `com.amazonaws#${name}` });
  });
});
