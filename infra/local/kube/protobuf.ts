import { MESSAGES } from "./protobuf-messages.ts";

/** What Kubernetes puts in front of every protobuf body. */
const MAGIC = Buffer.from("k8s\0");

/**
 * A protobuf body as the JSON object it stands for. Throws an Error with one sentence for a kind that is not in
 * `protobuf-messages.ts`, and RangeError for bytes that are no protobuf.
 */
export function decodeProtobuf(body: Buffer): Record<string, unknown> {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Error("the body does not begin as Kubernetes protobuf does");
  const envelope = new Map(
    wireFields(body.subarray(MAGIC.length)).map(({ number, value }) => [number, value]),
  );
  const typeMeta = new Map(
    wireFields(bytesOf(envelope.get(1))).map(({ number, value }) => [number, String(value)]),
  );
  const apiVersion = typeMeta.get(1) ?? "";
  const kind = typeMeta.get(2) ?? "";
  if (MESSAGES[kind] === undefined) {
    throw new Error(
      `this server reads no protobuf of kind ${kind}; send it as JSON, e.g. kubectl … --dry-run=client -o yaml | kubectl apply -f -`,
    );
  }
  return { apiVersion, kind, ...message(kind, bytesOf(envelope.get(2))) };
}

interface WireField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

function wireFields(bytes: Buffer): readonly WireField[] {
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at);
    const number = Number(tag.value >> 3n);
    const wireType = Number(tag.value & 7n);
    if (wireType === 0) {
      const { value, end } = varint(bytes, tag.end);
      fields.push({ number, value });
      at = end;
    } else if (wireType === 2) {
      const { value: length, end } = varint(bytes, tag.end);
      at = end + Number(length);
      if (at > bytes.length) throw new RangeError("a protobuf field ends behind the body");
      fields.push({ number, value: bytes.subarray(end, at) });
    } else {
      throw new RangeError(`wire type ${wireType} does not occur in Kubernetes protobuf`);
    }
  }
  return fields;
}

function varint(bytes: Buffer, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = start, shift = 0n; at < bytes.length && shift < 70n; at++, shift += 7n) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new RangeError("a protobuf number ends behind the body");
}

function bytesOf(value: bigint | Buffer | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function message(name: string, bytes: Buffer): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { number, value } of wireFields(bytes)) {
    const declared = MESSAGES[name]?.[number];
    if (declared !== undefined) addField(result, declared, value);
  }
  return result;
}

function addField(result: Record<string, unknown>, declared: string, value: bigint | Buffer): void {
  const [, name = "", shape, type = "", pointer] = /^(\w+)(\*|\{\})?:(\w+)(\?)?$/.exec(declared) ?? [];
  if (shape === "{}") {
    const entry = new Map(wireFields(bytesOf(value)).map((field) => [field.number, field.value]));
    const map = (result[name] ?? {}) as Record<string, unknown>;
    map[String(entry.get(1) ?? "")] = decoded(type, entry.get(2) ?? Buffer.alloc(0));
    result[name] = map;
  } else if (shape === "*") {
    result[name] = [...((result[name] ?? []) as unknown[]), decoded(type, value)];
  } else {
    const field = decoded(type, value);
    const wasSaid = pointer === "?" || (field !== "" && field !== 0 && field !== false);
    if (wasSaid) result[name] = field;
  }
}

function decoded(type: string, value: bigint | Buffer): unknown {
  switch (type) {
    case "string":
      return String(value);
    case "bytes":
      return bytesOf(value).toString("base64");
    case "int":
      return Number(BigInt.asIntN(64, value as bigint));
    case "bool":
      return value === 1n;
    case "Quantity":
      return String(
        new Map(wireFields(bytesOf(value)).map((field) => [field.number, field.value])).get(1) ?? "0",
      );
    case "IntOrString":
      return intOrString(bytesOf(value));
    default:
      return message(type, bytesOf(value));
  }
}

/** Go writes both parts and a type: 0 means the number counts, 1 the text. */
function intOrString(bytes: Buffer): number | string {
  const parts = new Map(wireFields(bytes).map(({ number, value }) => [number, value]));
  return parts.get(1) === 1n ? String(parts.get(3) ?? "") : Number(parts.get(2) ?? 0n);
}
