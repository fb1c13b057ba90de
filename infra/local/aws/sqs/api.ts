/** The SQS API in its JSON protocol. Ref: Amazon SQS API Reference. */
import { AwsError } from "#infra/local/aws/error";
import { queueArn, queueUrl } from "#infra/local/aws/names";
import { md5, sequenceNumber, systemAttributes } from "./attributes.ts";
import { isFifo, type Queues, type Received } from "./queues.ts";
import { MAX_MESSAGE_BYTES, type SendEntry } from "./rules.ts";

interface Input {
  readonly QueueUrl?: string;
  readonly QueueName?: string;
  readonly QueueNamePrefix?: string;
  readonly Entries?: readonly BatchEntry[];
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
  readonly AttributeNames?: readonly string[];
  readonly MessageSystemAttributeNames?: readonly string[];
}
interface BatchEntry extends SendEntry {
  readonly Id: string;
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
}
type Operation = (context: SqsContext, input: Input & SendEntry) => unknown;

export interface SqsContext {
  readonly queues: Queues;
  readonly endpoint: string;
}

const MAX_BATCH = 10;
const MAX_VISIBILITY_SECONDS = 43_200;
const MAX_WAIT_SECONDS = 20;

export const SQS_OPERATIONS: Readonly<Record<string, Operation>> = {
  SendMessage({ queues }, input) {
    const name = nameOf(queues, input);
    const result = queues.send(name, input);
    if ("code" in result) throw new AwsError(result.code, result.message);
    return accepted(name, input, result);
  },

  SendMessageBatch({ queues }, input) {
    const name = nameOf(queues, input);
    const entries = batchOf(input);
    const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.MessageBody ?? ""), 0);
    if (bytes > MAX_MESSAGE_BYTES) {
      throw new AwsError(
        "BatchRequestTooLong",
        `Batch requests cannot be longer than ${MAX_MESSAGE_BYTES} bytes. You have sent ${bytes} bytes.`,
      );
    }
    return perEntry(entries, (entry) => {
      const result = queues.send(name, entry);
      if ("code" in result) throw new AwsError(result.code, result.message);
      return accepted(name, entry, result);
    });
  },

  async ReceiveMessage({ queues }, input) {
    const name = nameOf(queues, input);
    const max = between("MaxNumberOfMessages", input.MaxNumberOfMessages ?? 1, 1, MAX_BATCH);
    const visibility = input.VisibilityTimeout;
    if (visibility !== undefined) between("VisibilityTimeout", visibility, 0, MAX_VISIBILITY_SECONDS);
    const waitSeconds = between("WaitTimeSeconds", input.WaitTimeSeconds ?? 0, 0, MAX_WAIT_SECONDS);
    let received = queues.receive(name, max, visibility);
    if (received.length === 0 && waitSeconds > 0) {
      await somethingToReceive(queues, name, waitSeconds * 1000);
      received = queues.receive(name, max, visibility);
    }
    const wanted = [...(input.MessageSystemAttributeNames ?? []), ...(input.AttributeNames ?? [])];
    return received.length === 0
      ? {}
      : { Messages: received.map((each) => toMessage(each, isFifo(name), wanted)) };
  },

  DeleteMessage({ queues }, input) {
    queues.delete(nameOf(queues, input), [required("ReceiptHandle", input.ReceiptHandle)]);
    return {};
  },

  DeleteMessageBatch({ queues }, input) {
    const name = nameOf(queues, input);
    return perEntry(batchOf(input), (entry) => {
      queues.delete(name, [required("ReceiptHandle", entry.ReceiptHandle)]);
      return {};
    });
  },

  ChangeMessageVisibility({ queues }, input) {
    changeVisibility(queues, nameOf(queues, input), input);
    return {};
  },

  ChangeMessageVisibilityBatch({ queues }, input) {
    const name = nameOf(queues, input);
    return perEntry(batchOf(input), (entry) => {
      changeVisibility(queues, name, entry);
      return {};
    });
  },

  GetQueueUrl({ queues, endpoint }, input) {
    const { name } = queues.config(required("QueueName", input.QueueName));
    return { QueueUrl: queueUrl(endpoint, name) };
  },

  ListQueues({ queues, endpoint }, input) {
    const names = queues.names.filter((name) => name.startsWith(input.QueueNamePrefix ?? ""));
    return { QueueUrls: names.map((name) => queueUrl(endpoint, name)) };
  },

  GetQueueAttributes({ queues }, input) {
    const name = nameOf(queues, input);
    const config = queues.config(name);
    const depth = queues.depth(name);
    const attributes: Record<string, string> = {
      QueueArn: queueArn(name),
      ApproximateNumberOfMessages: String(depth.visible),
      ApproximateNumberOfMessagesNotVisible: String(depth.inFlight),
      ApproximateNumberOfMessagesDelayed: String(depth.delayed),
      VisibilityTimeout: String(config.visibilitySeconds),
      DelaySeconds: String(config.delaySeconds ?? 0),
      MaximumMessageSize: String(MAX_MESSAGE_BYTES),
      ...(isFifo(name) && { FifoQueue: "true", ContentBasedDeduplication: "false" }),
      ...(config.redrive !== undefined && {
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: queueArn(config.redrive.deadLetters),
          maxReceiveCount: config.redrive.maxReceives,
        }),
      }),
    };
    return { Attributes: only(attributes, input.AttributeNames ?? []) };
  },

  PurgeQueue({ queues }, input) {
    queues.purge(nameOf(queues, input));
    return {};
  },
};

/** Of a queue that is there: for an entry of a batch it would be too late to find out. */
function nameOf(queues: Queues, { QueueUrl: url }: Input): string {
  return queues.config(required("QueueUrl", url).split("/").at(-1) ?? "").name;
}

function required<T>(name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new AwsError("MissingParameter", `The request must contain the parameter ${name}.`);
}

function between(name: string, value: number, low: number, high: number): number {
  if (Number.isInteger(value) && value >= low && value <= high) return value;
  throw new AwsError(
    "InvalidParameterValue",
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${low} and ${high}, if provided.`,
  );
}

function batchOf({ Entries: entries = [] }: Input): readonly BatchEntry[] {
  if (entries.length === 0) {
    throw new AwsError("EmptyBatchRequest", "There should be at least one entry in the request.");
  }
  if (entries.length > MAX_BATCH) {
    throw new AwsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${MAX_BATCH}. You have sent ${entries.length}.`,
    );
  }
  if (new Set(entries.map((entry) => entry.Id)).size < entries.length) {
    throw new AwsError("BatchEntryIdsNotDistinct", "Id must be distinct.");
  }
  return entries;
}

/** One entry's fault is its own: a batch answers 200 with both lists (B91). */
function perEntry(entries: readonly BatchEntry[], work: (entry: BatchEntry) => object) {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...work(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful, Failed };
}

function accepted(name: string, entry: SendEntry, sent: { messageId: string; sequence: number }) {
  return {
    MessageId: sent.messageId,
    MD5OfMessageBody: md5(entry.MessageBody ?? ""),
    ...(isFifo(name) && { SequenceNumber: sequenceNumber(sent.sequence) }),
  };
}

function changeVisibility(
  queues: Queues,
  name: string,
  { ReceiptHandle, VisibilityTimeout }: { ReceiptHandle?: string; VisibilityTimeout?: number },
): void {
  const seconds = between(
    "VisibilityTimeout",
    required("VisibilityTimeout", VisibilityTimeout),
    0,
    MAX_VISIBILITY_SECONDS,
  );
  queues.changeVisibility(name, required("ReceiptHandle", ReceiptHandle), seconds);
}

function toMessage({ message, receiptHandle }: Received, fifo: boolean, wanted: readonly string[]) {
  const attributes = only(systemAttributes(message, fifo), wanted);
  return {
    MessageId: message.id,
    ReceiptHandle: receiptHandle,
    MD5OfBody: md5(message.body),
    Body: message.body,
    ...(Object.keys(attributes).length > 0 && { Attributes: attributes }),
  };
}

function only(attributes: Record<string, string>, wanted: readonly string[]): Record<string, string> {
  if (wanted.includes("All")) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => wanted.includes(name)));
}

/** Long polling waits on the wall: whoever asks from outside cannot know how fast virtual time runs. */
async function somethingToReceive(queues: Queues, name: string, timeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const unsubscribe = queues.subscribe(name, () => {
      const { visible } = queues.depth(name);
      if (visible > 0) finish();
    });
    const timeout = setTimeout(() => finish(), timeoutMs);
    function finish(): void {
      clearTimeout(timeout);
      unsubscribe();
      resolve();
    }
  });
}
