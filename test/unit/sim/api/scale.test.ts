import { describe, expect, it } from "vitest";
import { DAEMON_SETS, DEPLOYMENTS } from "#sim/api/kinds/apps";
import { AT, deployment, hub, karmadaType, named, object, refusal, value } from "./fixture.ts";

describe("the scale of a Deployment", () => {
  it("is autoscaling/v1 with the selector as text", () => {
    const api = hub();
    const selector = {
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "tier", operator: "In", values: ["b", "a"] }],
    };
    const made = value(api.create(DEPLOYMENTS, deployment("web", { replicas: 2, selector }), AT));
    expect(value(api.getScale(DEPLOYMENTS, named("web")))).toEqual({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: {
        name: "web",
        namespace: "default",
        uid: made.metadata.uid,
        resourceVersion: made.metadata.resourceVersion,
        creationTimestamp: made.metadata.creationTimestamp,
      },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: "app=web,tier in (a,b)" },
    });
  });

  it("B61: has no spec.replicas at 0, as Go's omitempty leaves it", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web", { replicas: 0 }), AT));
    expect(value(api.getScale(DEPLOYMENTS, named("web"))).spec).toEqual({});
  });

  it("is written with a precondition: the version that was read wins once", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const read = value(api.getScale(DEPLOYMENTS, named("web")));
    const wanted = { ...read, spec: { replicas: 5 } };
    const written = value(api.updateScale(DEPLOYMENTS, wanted, AT));
    expect(written.spec).toEqual({ replicas: 5 });
    expect(Number(written.metadata.resourceVersion)).toBe(Number(read.metadata.resourceVersion) + 1);
    expect(refusal(api.updateScale(DEPLOYMENTS, wanted, AT))).toMatchObject({
      code: 409,
      message: expect.stringContaining(
        'Operation cannot be fulfilled on deployments.apps "web": the object has been modified',
      ),
    });
  });

  it("moves the generation, and tells its writer apart by the subresource", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const scale = { ...value(api.getScale(DEPLOYMENTS, named("web"))), spec: { replicas: 5 } };
    value(api.updateScale(DEPLOYMENTS, scale, { ...AT, fieldManager: "mainsheet" }));
    const stored = api.store.get(DEPLOYMENTS, "default", "web");
    expect(stored?.metadata.generation).toBe(2);
    const owners = stored?.metadata.managedFields?.map(({ manager, operation, subresource, fieldsV1 }) => ({
      manager,
      operation,
      subresource,
      ownsReplicas: JSON.stringify(fieldsV1).includes('"f:replicas"'),
    }));
    expect(owners).toEqual([
      { manager: "mainsheet", operation: "Update", subresource: "scale", ownsReplicas: true },
      { manager: "tester", operation: "Update", subresource: undefined, ownsReplicas: false },
    ]);
  });

  it("does nothing for the number it has already", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web", { replicas: 5 }), AT));
    const before = api.store.get(DEPLOYMENTS, "default", "web");
    value(api.updateScale(DEPLOYMENTS, object({ metadata: named("web"), spec: { replicas: 5 } }), AT));
    expect(api.store.get(DEPLOYMENTS, "default", "web")).toBe(before);
  });

  it("takes a merge patch, as `kubectl scale` sends one", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const patched = value(
      api.patchScale(DEPLOYMENTS, named("web"), { type: "merge", body: { spec: { replicas: 6 } } }, AT),
    );
    expect(patched.spec).toEqual({ replicas: 6 });
  });

  it.each([
    [
      "below 0",
      -1,
      422,
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    ["that are no int32", 2 ** 31, 400, /^Scale in version "v1" cannot be handled as a Scale/],
    ["that are no number", "3", 400, /^Scale in version "v1" cannot be handled as a Scale/],
  ])("refuses replicas %s", (_what, replicas, code, message) => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web"), AT));
    const status = refusal(
      api.updateScale(DEPLOYMENTS, object({ metadata: named("web"), spec: { replicas } }), AT),
    );
    expect(status.code).toBe(code);
    expect(status.message).toMatch(message);
  });

  it("without spec.replicas means 0", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web"), AT));
    value(api.updateScale(DEPLOYMENTS, object({ metadata: named("web"), spec: {} }), AT));
    expect(api.store.get(DEPLOYMENTS, "default", "web")?.spec?.replicas).toBe(0);
  });
});

describe("the scale of a custom kind", () => {
  it("follows the scale paths of its definition", () => {
    const api = hub();
    const cloneSets = karmadaType(api, "apps.kruise.io/v1alpha1", "clonesets");
    const spec = { replicas: 3, selector: { matchLabels: { app: "c" } }, template: {} };
    value(api.create(cloneSets, object({ metadata: named("c"), spec }), AT));
    const status = { replicas: 2, labelSelector: "app=c" };
    value(
      api.patch(cloneSets, named("c"), { type: "merge", body: { status } }, { ...AT, subresource: "status" }),
    );
    const scale = value(api.getScale(cloneSets, named("c")));
    expect([scale.spec, scale.status]).toEqual([{ replicas: 3 }, { replicas: 2, selector: "app=c" }]);
  });

  it("has none while the object has no replicas at their path: a 500, as upstream", () => {
    const api = hub();
    const cloneSets = karmadaType(api, "apps.kruise.io/v1alpha1", "clonesets");
    value(api.create(cloneSets, object({ metadata: named("c"), spec: { selector: {}, template: {} } }), AT));
    expect(refusal(api.getScale(cloneSets, named("c"))).message).toContain(
      'the spec replicas field ".spec.replicas" does not exist',
    );
  });

  it("is 404 where the definition has no scale", () => {
    const api = hub();
    const spec = {
      selector: { matchLabels: { app: "web" } },
      template: { spec: { containers: [{ name: "c", image: "x" }] } },
    };
    value(api.create(DAEMON_SETS, object({ metadata: named("d"), spec }), AT));
    expect(refusal(api.getScale(DAEMON_SETS, named("d"))).code).toBe(404);
  });
});
