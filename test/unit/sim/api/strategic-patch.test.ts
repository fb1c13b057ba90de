import { expect, it } from "vitest";
import { goDefinitions } from "#infra/local/kube/go-schemas";
import { hubCatalogue } from "#sim/api/resources";
import { strategicPatch } from "#sim/api/write/strategic-patch";

const { definitions } = hubCatalogue(goDefinitions());
const POD_SPEC = { $ref: "io.k8s.api.core.v1.PodSpec" };
const OBJECT = { $ref: "io.k8s.api.core.v1.Pod" };

it.each([
  [
    "merges a list by its key and keeps the other items",
    {
      containers: [
        { name: "a", image: "1" },
        { name: "b", image: "1" },
      ],
    },
    { containers: [{ name: "b", image: "2" }] },
    {
      containers: [
        { name: "a", image: "1" },
        { name: "b", image: "2" },
      ],
    },
  ],
  [
    "adds an item with a new key",
    { containers: [{ name: "a" }] },
    { containers: [{ name: "b" }] },
    { containers: [{ name: "a" }, { name: "b" }] },
  ],
  [
    "$patch: delete takes an item away",
    { containers: [{ name: "a" }, { name: "b" }] },
    { containers: [{ name: "a", $patch: "delete" }] },
    { containers: [{ name: "b" }] },
  ],
  [
    "$patch: replace takes the list as it is",
    { containers: [{ name: "a" }, { name: "b" }] },
    { containers: [{ name: "c" }, { $patch: "replace" }] },
    { containers: [{ name: "c" }] },
  ],
  [
    "$patch: replace in an object drops the rest of it",
    { securityContext: { runAsUser: 1, fsGroup: 2 } },
    { securityContext: { $patch: "replace", fsGroup: 3 } },
    { securityContext: { fsGroup: 3 } },
  ],
  [
    "$setElementOrder puts the items in order",
    { containers: [{ name: "a" }, { name: "b" }] },
    {
      "$setElementOrder/containers": [{ name: "c" }, { name: "b" }, { name: "a" }],
      containers: [{ name: "c" }],
    },
    { containers: [{ name: "c" }, { name: "b" }, { name: "a" }] },
  ],
  [
    "$retainKeys drops the fields it does not name",
    { volumes: [{ name: "v", emptyDir: {} }] },
    { volumes: [{ $retainKeys: ["name", "hostPath"], name: "v", hostPath: { path: "/x" } }] },
    { volumes: [{ name: "v", hostPath: { path: "/x" } }] },
  ],
  ["null removes a field", { nodeName: "n", hostname: "h" }, { nodeName: null }, { hostname: "h" }],
  [
    "a list without a key is replaced",
    { containers: [{ name: "a", args: ["x", "y"] }] },
    { containers: [{ name: "a", args: ["z"] }] },
    { containers: [{ name: "a", args: ["z"] }] },
  ],
  [
    "ports merge by containerPort, env by name",
    { containers: [{ name: "a", ports: [{ containerPort: 80 }], env: [{ name: "E", value: "1" }] }] },
    { containers: [{ name: "a", ports: [{ containerPort: 81 }], env: [{ name: "E", value: "2" }] }] },
    {
      containers: [
        {
          name: "a",
          ports: [{ containerPort: 80 }, { containerPort: 81 }],
          env: [{ name: "E", value: "2" }],
        },
      ],
    },
  ],
])("%s", (_sentence, target, patch, expected) => {
  const before = structuredClone(target);
  expect(strategicPatch(target, patch, POD_SPEC, definitions)).toEqual(expected);
  expect(target).toEqual(before);
});

it("unites lists of scalars, and takes out what $deleteFromPrimitiveList names", () => {
  const pod = { metadata: { finalizers: ["a/a", "b/b"] } };
  const add = { metadata: { finalizers: ["c/c", "a/a"] } };
  const remove = { metadata: { "$deleteFromPrimitiveList/finalizers": ["a/a"] } };
  expect(strategicPatch(pod, add, OBJECT, definitions)).toEqual({
    metadata: { finalizers: ["a/a", "b/b", "c/c"] },
  });
  expect(strategicPatch(pod, remove, OBJECT, definitions)).toEqual({ metadata: { finalizers: ["b/b"] } });
});

it("conditions merge by type", () => {
  const pod = {
    status: {
      conditions: [
        { type: "Ready", status: "False" },
        { type: "X", status: "True" },
      ],
    },
  };
  const patch = { status: { conditions: [{ type: "Ready", status: "True" }] } };
  expect(strategicPatch(pod, patch, OBJECT, definitions)).toEqual({
    status: {
      conditions: [
        { type: "Ready", status: "True" },
        { type: "X", status: "True" },
      ],
    },
  });
});
