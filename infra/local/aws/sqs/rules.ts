/** What SQS refuses in a message, in its words. Ref: SQS API reference, SendMessage; Developer Guide, "Message quotas". */

export interface SendEntry {
  readonly MessageBody?: string;
  readonly DelaySeconds?: number;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
  readonly MessageAttributes?: object;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_DELAY_SECONDS = 900;
const ID = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/;
/** Everything but what XML 1.0 allows. */
const UNSENDABLE = /[^\t\n\r -\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Why the message is refused, or undefined. */
export function refusalOf(entry: SendEntry, fifo: boolean): Refusal | undefined {
  const body = entry.MessageBody;
  if (typeof body !== "string" || body === "") {
    return { code: "MissingParameter", message: "The request must contain the parameter MessageBody." };
  }
  if (Buffer.byteLength(body) > MAX_MESSAGE_BYTES) {
    return invalid(
      `One or more parameters are invalid. Reason: Message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`,
    );
  }
  if (UNSENDABLE.test(body)) {
    return {
      code: "InvalidMessageContents",
      message:
        "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
    };
  }
  if (entry.MessageAttributes !== undefined && Object.keys(entry.MessageAttributes).length > 0) {
    return { code: "UnsupportedOperation", message: "Message attributes are not kept on this machine." };
  }
  return delayRefusal(entry, fifo) ?? idRefusal(entry, fifo);
}

function delayRefusal({ DelaySeconds: delay }: SendEntry, fifo: boolean): Refusal | undefined {
  if (delay === undefined) return undefined;
  if (fifo) {
    return invalid(
      `Value ${delay} for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.`,
    );
  }
  if (Number.isInteger(delay) && delay >= 0 && delay <= MAX_DELAY_SECONDS) return undefined;
  return invalid(
    `Value ${delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${MAX_DELAY_SECONDS}.`,
  );
}

function idRefusal(entry: SendEntry, fifo: boolean): Refusal | undefined {
  const { MessageGroupId: group, MessageDeduplicationId: deduplication } = entry;
  for (const [name, value] of Object.entries({
    MessageGroupId: group,
    MessageDeduplicationId: deduplication,
  })) {
    if (value !== undefined && !ID.test(value)) {
      return invalid(
        `Value ${value} for parameter ${name} is invalid. Reason: ${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
      );
    }
  }
  if (fifo && group === undefined) {
    return { code: "MissingParameter", message: "The request must contain the parameter MessageGroupId." };
  }
  if (fifo && deduplication === undefined) {
    return invalid(
      "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
    );
  }
  if (!fifo && deduplication !== undefined) {
    return invalid(
      `Value ${deduplication} for parameter MessageDeduplicationId is invalid. Reason: The request includes a parameter that is not valid for this queue type.`,
    );
  }
  return undefined;
}

function invalid(message: string): Refusal {
  return { code: "InvalidParameterValue", message };
}
