import { describe, expect, it } from "vitest";
import { decodeProtobuf } from "#infra/local/kube/protobuf";

const field = (number: number, bytes: Buffer | string) => {
  const content = Buffer.from(bytes);
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
};
const number = (fieldNumber: number, ...varint: number[]) => Buffer.from([fieldNumber << 3, ...varint]);
const all = (...parts: Buffer[]) => Buffer.concat(parts);

function body(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const typeMeta = all(field(1, apiVersion), field(2, kind));
  return all(Buffer.from("k8s\0"), field(1, typeMeta), field(2, raw), field(3, ""), field(4, ""));
}

describe("Kubernetes protobuf", () => {
  it("is an envelope with the kind, and the object in it", () => {
    const metadata = all(
      field(1, "settings"),
      field(3, ""),
      field(11, all(field(1, "app"), field(2, "web"))),
    );
    const data = field(2, all(field(1, "color"), field(2, "red")));
    expect(decodeProtobuf(body("v1", "ConfigMap", all(field(1, metadata), data)))).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "settings", labels: { app: "web" } },
      data: { color: "red" },
    });
  });

  it("keeps the zero of a pointer, drops the zero of a field that was not said", () => {
    const spec = all(number(1, 0), number(5, 0), number(7, 0));
    expect(decodeProtobuf(body("apps/v1", "Deployment", field(2, spec))).spec).toEqual({ replicas: 0 });
  });

  it("reads numbers of several bytes, negative ones too", () => {
    const minusOne = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    const spec = (...varint: number[]) =>
      decodeProtobuf(body("apps/v1", "Deployment", field(2, number(1, ...varint)))).spec;
    expect([spec(0xac, 0x02), spec(...minusOne)]).toEqual([{ replicas: 300 }, { replicas: -1 }]);
  });

  it("has bytes as base64, and a target port as number or name", () => {
    const secret = body("v1", "Secret", field(2, all(field(1, "k"), field(2, "v"))));
    expect(decodeProtobuf(secret).data).toEqual({ k: "dg==" });
    const port = (target: Buffer) => field(2, field(1, all(number(3, 80), field(4, target))));
    const named = body("v1", "Service", port(all(number(1, 1), field(3, "http"))));
    const numbered = body("v1", "Service", port(all(number(1, 0), number(2, 0x90, 0x3f))));
    expect([named, numbered].map((bytes) => decodeProtobuf(bytes).spec)).toEqual([
      { ports: [{ port: 80, targetPort: "http" }] },
      { ports: [{ port: 80, targetPort: 8080 }] },
    ]);
  });

  it.each([
    ["another body", Buffer.from("{}"), "the body does not begin as Kubernetes protobuf does"],
    [
      "another kind",
      body("v1", "Endpoints", Buffer.alloc(0)),
      /^this server reads no protobuf of kind Endpoints; send it as JSON/,
    ],
    [
      "a cut body",
      body("v1", "ConfigMap", field(1, "settings")).subarray(0, 30),
      "a protobuf field ends behind the body",
    ],
    [
      "a number without end",
      all(Buffer.from("k8s\0"), Buffer.from([0x08, 0xff])),
      "a protobuf number ends behind the body",
    ],
    ["a wire type of its own", all(Buffer.from("k8s\0"), Buffer.from([0x0d, 0, 0, 0, 0])), /^wire type 5/],
  ])("refuses %s in one sentence", (_what, bytes, message) => {
    expect(() => decodeProtobuf(bytes)).toThrow(message);
  });
});
