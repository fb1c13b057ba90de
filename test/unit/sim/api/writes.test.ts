import { describe, expect, it } from "vitest";
import { goDefinitions } from "#infra/local/kube/go-schemas";
import { DEPLOYMENTS } from "#sim/api/kinds/apps";
import { CONFIG_MAPS, NAMESPACES, PODS } from "#sim/api/kinds/core";
import {
  AT,
  hub as bareHub,
  configMap,
  deployment,
  federatedHpa,
  karmadaType,
  named,
  object,
  refusal,
  T0,
  value,
} from "./fixture.ts";

const definitions = goDefinitions();
const hub = () => bareHub({ definitions });

describe("create", () => {
  it("stamps uid, creationTimestamp, generation 1 and the resourceVersion, and fills in Go's defaults", () => {
    const made = value(hub().create(DEPLOYMENTS, deployment("web"), AT));
    expect(made).toMatchObject({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { generation: 1, resourceVersion: "2", creationTimestamp: "2026-03-02T09:00:00Z" },
      spec: {
        replicas: 1,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%" } },
        template: { spec: { restartPolicy: "Always", containers: [{ imagePullPolicy: "Always" }] } },
      },
    });
    expect(made.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("makes a name from generateName, another one when it is taken", () => {
    const api = hub();
    const made = value(
      api.create(CONFIG_MAPS, object({ metadata: { namespace: "default", generateName: "a-" } }), AT),
    );
    expect(made.metadata.name).toMatch(/^a-[a-z0-9]{5}$/);
  });

  it("drops the status, which has a door of its own", () => {
    const made = value(hub().create(DEPLOYMENTS, { ...deployment("web"), status: { replicas: 7 } }, AT));
    expect(made.status).toBeUndefined();
  });

  it("starts pods as Pending", () => {
    const pod = object({
      metadata: { name: "p", namespace: "default" },
      spec: { containers: [{ name: "c", image: "a:1" }] },
    });
    expect(value(hub().create(PODS, pod, AT)).status).toEqual({ phase: "Pending" });
  });

  it("tries everything and keeps nothing on a dry run", () => {
    const api = hub();
    const tried = value(api.create(DEPLOYMENTS, deployment("web"), { ...AT, dryRun: true }));
    expect(tried.metadata.uid).toBeDefined();
    expect(api.store.count(DEPLOYMENTS)).toBe(0);
    expect(refusal(api.create(DEPLOYMENTS, deployment("Web"), { ...AT, dryRun: true })).code).toBe(422);
  });

  it.each([
    ["a taken name", configMap("taken"), 409, "AlreadyExists", 'configmaps "taken" already exists'],
    [
      "a missing namespace",
      configMap("a", {}, { namespace: "nope" }),
      404,
      "NotFound",
      'namespaces "nope" not found',
    ],
    [
      "no namespace",
      configMap("a", {}, { namespace: undefined }),
      400,
      "BadRequest",
      "an empty namespace may not be set during creation",
    ],
    [
      "no name",
      configMap("a", {}, { name: undefined }),
      422,
      "Invalid",
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      "a name of capitals",
      configMap("Web"),
      422,
      "Invalid",
      /^ConfigMap "Web" is invalid: metadata.name: Invalid value: "Web": a lowercase RFC 1123 subdomain must consist of/,
    ],
    [
      "the wrong kind",
      { ...configMap("a"), kind: "Secret" },
      400,
      "BadRequest",
      "the kind in the data (Secret) does not match the expected kind (ConfigMap)",
    ],
    [
      "a value of the wrong type",
      configMap("a", 3 as never),
      400,
      "BadRequest",
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal integer into Go struct field ConfigMap.data of type object',
    ],
  ])("refuses %s", (_what, body, code, reason, message) => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("taken"), AT));
    const status = refusal(api.create(CONFIG_MAPS, body, AT));
    expect([status.code, status.reason]).toEqual([code, reason]);
    expect(status.message).toMatch(message);
  });

  it("names the group in messages and details", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web"), AT));
    expect(refusal(api.create(DEPLOYMENTS, deployment("web"), AT))).toMatchObject({
      message: 'deployments.apps "web" already exists',
      details: { name: "web", group: "apps", kind: "deployments" },
    });
  });

  it.each([
    [
      "Strict",
      undefined,
      /^Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec\.foo"$/,
    ],
    ["Warn", ['unknown field "spec.foo"'], undefined],
    ["Ignore", [], undefined],
  ] as const)(
    "with fieldValidation %s treats an unknown field as upstream does",
    (fieldValidation, warnings, message) => {
      const outcome = hub().create(DEPLOYMENTS, deployment("web", { foo: 1 }), { ...AT, fieldValidation });
      if (message !== undefined) return expect(refusal(outcome).message).toMatch(message);
      expect(value(outcome).spec).not.toHaveProperty("foo");
      expect(outcome.ok && outcome.warnings).toEqual(warnings);
    },
  );
});

describe("update", () => {
  it("moves the generation on a change of the spec, and only then", () => {
    const api = hub();
    const made = value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const labelled = value(
      api.update(DEPLOYMENTS, { ...made, metadata: { ...made.metadata, labels: { a: "b" } } }, AT),
    );
    const reported = value(
      api.update(DEPLOYMENTS, { ...labelled, status: { replicas: 1 } }, { ...AT, subresource: "status" }),
    );
    const scaled = value(
      api.update(DEPLOYMENTS, { ...reported, spec: { ...reported.spec, replicas: 3 } }, AT),
    );
    expect([made, labelled, reported, scaled].map(({ metadata }) => metadata.generation)).toEqual([
      1, 1, 1, 2,
    ]);
    expect(scaled.status).toEqual({ replicas: 1 });
  });

  it("leaves an object alone that it would not change, resourceVersion and all", () => {
    const api = hub();
    const made = value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const again = value(api.update(DEPLOYMENTS, made, { ...AT, nowMs: T0 + 60_000 }));
    expect(again).toBe(made);
    expect(api.store.resourceVersion).toBe(2);
  });

  it("refuses a stale resourceVersion with 409 and kubectl's sentence", () => {
    const api = hub();
    const made = value(api.create(CONFIG_MAPS, configMap("a"), AT));
    value(api.update(CONFIG_MAPS, { ...made, data: { a: "1" } }, AT));
    expect(refusal(api.update(CONFIG_MAPS, { ...made, data: { a: "2" } }, AT))).toMatchObject({
      code: 409,
      reason: "Conflict",
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  it("takes an update without resourceVersion for built-in kinds, not for custom ones", () => {
    const api = hub();
    const fhpas = karmadaType(api, "autoscaling.karmada.io/v1alpha1", "federatedhpas");
    value(api.create(CONFIG_MAPS, configMap("a"), AT));
    value(api.create(fhpas, federatedHpa("web"), AT));
    expect(value(api.update(CONFIG_MAPS, configMap("a", { k: "v" }), AT)).data).toEqual({ k: "v" });
    expect(refusal(api.update(fhpas, federatedHpa("web"), AT)).message).toBe(
      'FederatedHPA.autoscaling.karmada.io "web" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    );
  });

  it("refuses the uid of an object that was deleted meanwhile", () => {
    const api = hub();
    const made = value(api.create(CONFIG_MAPS, configMap("a"), AT));
    value(api.delete(CONFIG_MAPS, named("a"), AT));
    value(api.create(CONFIG_MAPS, configMap("a"), AT));
    const stale = { ...made, metadata: { ...made.metadata, resourceVersion: "" } };
    expect(refusal(api.update(CONFIG_MAPS, stale, AT)).message).toContain(
      "Precondition failed: UID in precondition",
    );
  });

  it("through status changes nothing but the status", () => {
    const api = hub();
    const made = value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const sneaky = {
      ...made,
      metadata: { ...made.metadata, labels: { a: "b" } },
      spec: { ...made.spec, replicas: 9 },
      status: { readyReplicas: 1 },
    };
    const written = value(api.update(DEPLOYMENTS, sneaky, { ...AT, subresource: "status" }));
    expect(written.spec).toEqual(made.spec);
    expect(written.metadata.labels).toBeUndefined();
    expect(written.status).toEqual({ readyReplicas: 1 });
  });

  it("keeps what only the server says: uid, creationTimestamp, generation", () => {
    const api = hub();
    const made = value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const forged = {
      ...made.metadata,
      creationTimestamp: "2020-01-01T00:00:00Z",
      generation: 99,
      uid: undefined,
    };
    const written = value(api.update(DEPLOYMENTS, { ...made, metadata: forged } as never, AT));
    expect(written.metadata).toEqual(made.metadata);
  });
});

describe("patch", () => {
  it("merge: objects merge, null removes, lists are replaced (RFC 7386)", () => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("a", { keep: "1", drop: "2" }), AT));
    const patched = value(
      api.patch(CONFIG_MAPS, named("a"), { type: "merge", body: { data: { drop: null, add: "3" } } }, AT),
    );
    expect(patched.data).toEqual({ keep: "1", add: "3" });
  });

  it("merge: a resourceVersion in the patch is a precondition", () => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("a"), AT));
    const body = { metadata: { resourceVersion: "1" }, data: { a: "1" } };
    expect(refusal(api.patch(CONFIG_MAPS, named("a"), { type: "merge", body }, AT)).code).toBe(409);
  });

  it("json: operations in order; a failed test leaves the object as it was", () => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("a", { x: "1" }), AT));
    const add = { op: "add", path: "/data/y", value: "2" };
    const test = { op: "test", path: "/data/x", value: "7" };
    expect(value(api.patch(CONFIG_MAPS, named("a"), { type: "json", body: [add] }, AT)).data).toEqual({
      x: "1",
      y: "2",
    });
    const before = api.store.get(CONFIG_MAPS, "default", "a");
    expect(
      refusal(
        api.patch(
          CONFIG_MAPS,
          named("a"),
          { type: "json", body: [{ op: "remove", path: "/data/x" }, test] },
          AT,
        ),
      ).code,
    ).toBe(422);
    expect(api.store.get(CONFIG_MAPS, "default", "a")).toBe(before);
  });

  it("strategic: refused for custom kinds with 415, as upstream", () => {
    const api = hub();
    const fhpas = karmadaType(api, "autoscaling.karmada.io/v1alpha1", "federatedhpas");
    value(api.create(fhpas, federatedHpa("web"), AT));
    const status = refusal(api.patch(fhpas, named("web"), { type: "strategic", body: { spec: {} } }, AT));
    expect([status.code, status.reason]).toEqual([415, "UnsupportedMediaType"]);
  });

  it("of status: a merge patch on /status leaves the spec", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const body = { spec: { replicas: 5 }, status: { replicas: 1 } };
    const patched = value(
      api.patch(DEPLOYMENTS, named("web"), { type: "merge", body }, { ...AT, subresource: "status" }),
    );
    expect([patched.spec?.replicas, patched.status]).toEqual([1, { replicas: 1 }]);
  });

  it("says 404 for what is not there", () => {
    const status = refusal(hub().patch(CONFIG_MAPS, named("a"), { type: "merge", body: {} }, AT));
    expect([status.code, status.message]).toEqual([404, 'configmaps "a" not found']);
  });
});

describe("delete", () => {
  const pod = (spec: object = {}) =>
    object({
      metadata: { name: "p", namespace: "default" },
      spec: { containers: [{ name: "c", image: "a:1" }], ...spec },
    });

  it("removes an object and its place", () => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("a"), AT));
    value(api.delete(CONFIG_MAPS, named("a"), AT));
    expect(refusal(api.get(CONFIG_MAPS, named("a"), T0)).code).toBe(404);
  });

  it("waits for finalizers, and goes with the last one", () => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("a", {}, { finalizers: ["x/y"] }), AT));
    const waiting = value(api.delete(CONFIG_MAPS, named("a"), AT));
    expect(waiting.metadata.deletionTimestamp).toBe("2026-03-02T09:00:00Z");
    value(
      api.patch(CONFIG_MAPS, named("a"), { type: "merge", body: { metadata: { finalizers: null } } }, AT),
    );
    expect(api.store.count(CONFIG_MAPS)).toBe(0);
  });

  it("gives a scheduled pod its grace, and the kubelet the last word", () => {
    const api = hub();
    value(api.create(PODS, pod({ nodeName: "node-1" }), AT));
    const stopping = value(api.delete(PODS, named("p"), AT));
    expect(stopping.metadata).toMatchObject({
      deletionTimestamp: "2026-03-02T09:00:30Z",
      deletionGracePeriodSeconds: 30,
    });
    value(api.delete(PODS, named("p"), { ...AT, gracePeriodSeconds: 0 }));
    expect(api.store.count(PODS)).toBe(0);
  });

  it("removes a pod at once that no node runs", () => {
    const api = hub();
    value(api.create(PODS, pod(), AT));
    value(api.delete(PODS, named("p"), AT));
    expect(api.store.count(PODS)).toBe(0);
  });

  it("holds to preconditions", () => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("a"), AT));
    const status = refusal(api.delete(CONFIG_MAPS, named("a"), { ...AT, preconditions: { uid: "other" } }));
    expect([status.code, status.reason]).toEqual([409, "Conflict"]);
  });

  it("takes a namespace with all that is in it", () => {
    const api = hub();
    value(api.create(CONFIG_MAPS, configMap("a"), AT));
    value(api.delete(NAMESPACES, { name: "default" }, AT));
    expect(api.store.count(CONFIG_MAPS)).toBe(0);
  });
});
