import { describe, expect, it } from "vitest";
import { validateFederatedHpa } from "#domain/spec/validate-federated-hpa";
import { federatedHpa } from "#test/unit/spec/federated-hpa-objects";

function faults(metadata: Record<string, unknown>): string[] {
  return validateFederatedHpa(federatedHpa({}, metadata)).faults.map(({ message }) => message);
}

const starting = (path: string, value: unknown, detail: string) =>
  expect.stringContaining(`metadata.${path}: Invalid value: ${JSON.stringify(value)}: ${detail}`);

describe("metadata (apimachinery ValidateObjectMeta)", () => {
  it.each([
    ["a name of 253 characters", { name: "a".repeat(253) }],
    ["a subdomain", { name: "a.b-c.1" }],
    ["an annotation key with capitals: case does not matter there", { annotations: { "Example.COM/x": "" } }],
    ["an empty label value", { labels: { a: "" } }],
    ["a generated name that ends in a dash", { generateName: "web-" }],
    ["… and in two: the last two characters are not looked at", { generateName: "web--" }],
    ["a finalizer without a domain", { finalizers: ["orphan", "plain"] }],
    ["one controller among two owners", { ownerReferences: [owner({ controller: true }), owner()] }],
    ["fields managed by Apply and Update", { managedFields: [managed("Apply"), managed("Update")] }],
  ])("takes %s", (_, metadata) => {
    expect(faults(metadata as Record<string, unknown>)).toEqual([]);
  });

  it.each([
    ["no name", { name: "" }, "metadata.name: Required value: name or generateName is required"],
    ["no namespace", { namespace: "" }, "metadata.namespace: Required value"],
    [
      "a name of 254",
      { name: "a".repeat(254) },
      starting("name", "a".repeat(254), "must be no more than 253"),
    ],
    ["a capital", { name: "Web" }, starting("name", "Web", "a lowercase RFC 1123 subdomain")],
    ["a dotted namespace", { namespace: "a.b" }, starting("namespace", "a.b", "must not contain dots")],
    [
      "a negative generation",
      { generation: -1 },
      starting("generation", -1, "must be greater than or equal to 0"),
    ],
    ["an empty prefix", { labels: { "/a": "" } }, starting("labels", "/a", "prefix part must be non-empty")],
    [
      "two slashes",
      { labels: { "a/b/c": "" } },
      starting("labels", "a/b/c", "a qualified name must consist"),
    ],
    [
      "a wrong prefix",
      { labels: { "A/b": "" } },
      starting("labels", "A/b", "prefix part a lowercase RFC 1123"),
    ],
    [
      "a label value of 64",
      { labels: { a: "v".repeat(64) } },
      starting("labels", "v".repeat(64), "must be no more"),
    ],
    [
      "a finalizer with a blank",
      { finalizers: ["a b"] },
      starting("finalizers", "a b", "name part must consist"),
    ],
    [
      "both garbage collectors",
      { finalizers: ["orphan", "foregroundDeletion"] },
      starting(
        "finalizers",
        ["orphan", "foregroundDeletion"],
        "finalizer orphan and foregroundDeletion cannot be",
      ),
    ],
    [
      "an owner without uid",
      { ownerReferences: [owner({ uid: "" })] },
      starting("ownerReferences.uid", "", "must not be"),
    ],
    [
      "an owner without version",
      { ownerReferences: [owner({ apiVersion: "apps/" })] },
      starting("ownerReferences.apiVersion", "apps/", "version must not be empty"),
    ],
    [
      "an Event as owner",
      { ownerReferences: [owner({ apiVersion: "v1", kind: "Event" })] },
      expect.stringContaining("is disallowed from being an owner"),
    ],
    [
      "two controllers",
      { ownerReferences: [owner({ controller: true }), owner({ controller: true })] },
      expect.stringContaining("Only one reference can have Controller set to true"),
    ],
    [
      "an unknown operation",
      { managedFields: [managed("Patch")] },
      starting("managedFields[0].operation", "Patch", "must"),
    ],
    [
      "an unknown field format",
      { managedFields: [{ ...managed("Apply"), fieldsType: "V2" }] },
      starting("managedFields[0].fieldsType", "V2", "must be `FieldsV1`"),
    ],
    [
      "a long manager",
      { managedFields: [{ ...managed("Apply"), manager: "m".repeat(129) }] },
      "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
    ],
    [
      "a long subresource",
      { managedFields: [{ ...managed("Apply"), subresource: "s".repeat(257) }] },
      "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
    ],
    [
      "annotations of more than 256 KiB, counted in bytes",
      { annotations: { a: "é".repeat(128 * 1024), b: "x" } },
      "metadata.annotations: Too long: may not be more than 262144 bytes",
    ],
  ])("refuses %s", (_, metadata, expected) => {
    expect(faults(metadata as Record<string, unknown>)).toEqual([expected]);
  });
});

function owner(members: Record<string, unknown> = {}) {
  return { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u", ...members };
}

function managed(operation: string) {
  return { manager: "kubectl", operation, fieldsType: "FieldsV1" };
}
