import { describe, expect, it } from "vitest";
import { decodeMemberScale, decodeScalePaths, decodeTarget } from "#wire/kubernetes/workload";

type Json = Record<string, unknown>;

function workload(apiVersion: string, kind: string, spec: Json, status: Json = {}): Json {
  const metadata = { name: "web", namespace: "shop", uid: "u1", generation: 3, resourceVersion: "42" };
  return { apiVersion, kind, metadata, spec, status };
}
const deployment = (spec: Json, status: Json = {}) => workload("apps/v1", "Deployment", spec, status);

describe("the scale target on the hub", () => {
  it("comes with its identity and its replicas", () => {
    expect(decodeTarget(deployment({ replicas: 5 }))).toEqual({
      ok: true,
      value: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        uid: "u1",
        generation: 3,
        resourceVersion: "42",
        replicas: 5,
      },
    });
  });

  it.each([
    ["absent", {}],
    ["null", { replicas: null }],
    ["0", { replicas: 0 }],
  ])("B61, D-07: replicas that are %s are 0", (_, spec) => {
    expect(decodeTarget(deployment(spec))).toMatchObject({ ok: true, value: { replicas: 0 } });
  });

  it.each([["3"], [-1], [1.5], [2 ** 31], [{}]])("replicas of %j are a fault, never 0", (replicas) => {
    expect(decodeTarget(deployment({ replicas }))).toMatchObject({
      ok: false,
      fault: {
        code: "target-unreadable",
        message: expect.stringMatching(/^Deployment shop\/web cannot be read: spec\.replicas: found /),
      },
    });
  });

  it("an identity that is not there is empty, a kind has to be", () => {
    expect(decodeTarget({ apiVersion: "apps/v1", kind: "Deployment" })).toMatchObject({
      value: { uid: "", generation: 0, resourceVersion: "", replicas: 0 },
    });
    expect(decodeTarget({ apiVersion: "apps/v1" })).toMatchObject({ ok: false });
  });

  it("other paths are the CRD's", () => {
    const crd = {
      spec: {
        versions: [
          { name: "v1", subresources: { scale: {} } },
          {
            name: "v2",
            subresources: {
              scale: {
                specReplicasPath: ".spec.size",
                statusReplicasPath: ".status.size",
                labelSelectorPath: ".status.pods.selector",
              },
            },
          },
        ],
      },
    };
    const paths = decodeScalePaths(crd, "v2");
    const raw = workload(
      "db.example.com/v2",
      "Database",
      { size: 2 },
      { size: 1, pods: { selector: "db=a" } },
    );
    expect(decodeTarget(raw, paths)).toMatchObject({ value: { replicas: 2 } });
    expect(decodeMemberScale(raw, paths)).toEqual({
      ok: true,
      value: { specReplicas: 2, statusReplicas: 1, selector: "db=a" },
    });
    expect(decodeScalePaths(crd, "v1")).toBeUndefined();
    expect(decodeScalePaths(crd, "v3")).toBeUndefined();
    expect(decodeScalePaths("no crd", "v1")).toBeUndefined();
  });
});

describe("the scale of a member's workload", () => {
  const selector = {
    matchLabels: { tier: "web", app: "shop" },
    matchExpressions: [{ key: "track", operator: "NotIn", values: ["canary"] }],
  };
  it.each([["Deployment"], ["StatefulSet"], ["ReplicaSet"]])("%s: spec.selector, in text form", (kind) => {
    expect(decodeMemberScale(workload("apps/v1", kind, { replicas: 3, selector }, { replicas: 2 }))).toEqual({
      ok: true,
      value: { specReplicas: 3, statusReplicas: 2, selector: "app=shop,tier=web,track notin (canary)" },
    });
  });

  it.each([
    ["apps.kruise.io/v1alpha1", "CloneSet", "labelSelector"],
    ["apps.kruise.io/v1beta1", "StatefulSet", "labelSelector"],
    ["example.com/v1", "Thing", "selector"],
  ])("%s %s: status.%s, a text already", (apiVersion, kind, field) => {
    const raw = workload(apiVersion, kind, { replicas: 3, selector }, { replicas: 2, [field]: "app=web" });
    expect(decodeMemberScale(raw)).toMatchObject({ value: { selector: "app=web" } });
  });

  it("an expression without values is one of two that have none", () => {
    const expressions = {
      matchExpressions: [
        { key: "a", operator: "Exists" },
        { key: "b", operator: "DoesNotExist", values: null },
      ],
    };
    expect(decodeMemberScale(deployment({ selector: expressions }))).toMatchObject({
      value: { selector: "a,!b" },
    });
  });

  it("what is absent is 0 and no selector, which the decision refuses by name", () => {
    expect(decodeMemberScale(deployment({}))).toEqual({
      ok: true,
      value: { specReplicas: 0, statusReplicas: 0, selector: "" },
    });
  });

  it("a count that is a text is a fault, never 0", () => {
    expect(decodeMemberScale(deployment({ replicas: "1" }))).toMatchObject({
      ok: false,
      fault: { code: "scale-unreadable", message: expect.stringContaining("spec.replicas") },
    });
  });

  it.each([
    ["a selector that is a number", 7],
    ["an unknown operator", { matchExpressions: [{ key: "a", operator: "Is" }] }],
    ["a label that is no text", { matchLabels: { a: 1 } }],
    ["an expression that is none", { matchExpressions: ["a"] }],
    ["values that are no list", { matchExpressions: [{ key: "a", operator: "In", values: "b" }] }],
  ])("%s is a fault, never everything", (_, wrong) => {
    expect(decodeMemberScale(deployment({ replicas: 1, selector: wrong }))).toMatchObject({
      ok: false,
      fault: { code: "selector-invalid", message: expect.stringContaining("spec.selector") },
    });
  });
});
