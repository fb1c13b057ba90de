import { describe, expect, it } from "vitest";
import { goDefinitions } from "#infra/local/kube/go-schemas";
import type { ApiServer, WriteOptions } from "#sim/api/api-server";
import { DEPLOYMENTS } from "#sim/api/kinds/apps";
import type { KubeObject } from "#sim/api/object";
import {
  AT,
  hub as bareHub,
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

const ALICE: WriteOptions = { nowMs: T0, fieldManager: "alice" };
const BOB: WriteOptions = { nowMs: T0 + 1000, fieldManager: "bob" };

function apply(api: ApiServer, fields: object, write: WriteOptions) {
  const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, ...fields };
  return api.patch(DEPLOYMENTS, named("web"), { type: "apply", body }, write);
}

function containers(...items: object[]) {
  return {
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: items } },
  };
}

function managers({ metadata }: KubeObject) {
  return metadata.managedFields?.map(({ manager, operation }) => `${operation} ${manager}`);
}

function mainOf(made: KubeObject) {
  const { template } = made.spec as { template: { spec: { containers: Record<string, unknown>[] } } };
  return template.spec.containers;
}

describe("server-side apply", () => {
  it("creates what is missing, and owns what it says", () => {
    const made = value(
      apply(hub(), { spec: { replicas: 2, ...containers({ name: "main", image: "a:1" }) } }, ALICE),
    );
    expect(made.metadata.generation).toBe(1);
    expect(made.spec).toMatchObject({ replicas: 2, revisionHistoryLimit: 10 });
    expect(made.metadata.managedFields).toEqual([
      {
        manager: "alice",
        operation: "Apply",
        apiVersion: "apps/v1",
        time: "2026-03-02T09:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:spec": {
            "f:replicas": {},
            "f:selector": {},
            "f:template": {
              "f:metadata": { "f:labels": { "f:app": {} } },
              "f:spec": { "f:containers": { 'k:{"name":"main"}': { ".": {}, "f:image": {}, "f:name": {} } } },
            },
          },
        },
      },
    ]);
  });

  it("changes nothing the second time, not even its time", () => {
    const api = hub();
    const spec = { replicas: 2, ...containers({ name: "main", image: "a:1" }) };
    const first = value(apply(api, { spec }, ALICE));
    expect(value(apply(api, { spec }, { ...ALICE, nowMs: T0 + 60_000 }))).toBe(first);
  });

  it("removes what it no longer says, and keeps what others own", () => {
    const api = hub();
    const base = containers({ name: "main", image: "a:1" });
    const labels = { mine: "1", shared: "1" };
    value(apply(api, { metadata: { name: "web", labels }, spec: base }, ALICE));
    value(apply(api, { metadata: { name: "web", labels: { shared: "1" } } }, BOB));
    const after = value(apply(api, { metadata: { name: "web" }, spec: base }, ALICE));
    expect(after.metadata.labels).toEqual({ shared: "1" });
    expect(managers(after)).toEqual(["Apply alice", "Apply bob"]);
  });

  it("merges containers by name and ports by number and protocol", () => {
    const api = hub();
    value(
      apply(api, { spec: containers({ name: "main", image: "a:1", ports: [{ containerPort: 80 }] }) }, ALICE),
    );
    const spec = {
      template: {
        spec: {
          containers: [
            { name: "main", ports: [{ containerPort: 81 }] },
            { name: "side", image: "b:1" },
          ],
        },
      },
    };
    const [main, side] = mainOf(value(apply(api, { spec }, BOB)));
    expect(main).toMatchObject({ image: "a:1", ports: [{ containerPort: 80 }, { containerPort: 81 }] });
    expect(side).toMatchObject({ name: "side", image: "b:1" });
    const gone = mainOf(
      value(
        apply(api, { spec: { template: { spec: { containers: [{ name: "side", image: "b:1" }] } } } }, BOB),
      ),
    );
    expect(gone[0]).toMatchObject({ ports: [{ containerPort: 80 }] });
  });

  it("refuses to change another's field, and says whose it is", () => {
    const api = hub();
    value(
      api.create(DEPLOYMENTS, deployment("web", { replicas: 1 }), {
        ...AT,
        fieldManager: "kubectl-client-side-apply",
      }),
    );
    expect(refusal(apply(api, { spec: { replicas: 3 } }, ALICE))).toMatchObject({
      code: 409,
      reason: "Conflict",
      message:
        'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
      details: {
        causes: [
          {
            reason: "FieldManagerConflict",
            message: 'conflict with "kubectl-client-side-apply" using apps/v1',
            field: ".spec.replicas",
          },
        ],
      },
    });
  });

  it("lists several conflicts by their owner", () => {
    const api = hub();
    value(
      apply(
        api,
        { spec: { replicas: 1, paused: true, ...containers({ name: "main", image: "a:1" }) } },
        ALICE,
      ),
    );
    expect(refusal(apply(api, { spec: { replicas: 2, paused: false } }, BOB)).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "alice":\n- .spec.paused\n- .spec.replicas',
    );
  });

  it("with force takes the field over; with the same value shares it", () => {
    const api = hub();
    const spec = { replicas: 1, ...containers({ name: "main", image: "a:1" }) };
    value(apply(api, { spec }, ALICE));
    const shared = value(apply(api, { spec: { replicas: 1 } }, BOB));
    expect(managers(shared)).toEqual(["Apply alice", "Apply bob"]);
    const forced = value(apply(api, { spec: { replicas: 4 } }, { ...BOB, force: true }));
    expect(forced.spec?.replicas).toBe(4);
    expect(JSON.stringify(forced.metadata.managedFields?.[0])).not.toContain("f:replicas");
  });

  it("lets kubectl, and only kubectl, take over what its own client-side apply had set", () => {
    const api = hub();
    const spec = { replicas: 1, paused: true, ...containers({ name: "main", image: "a:1" }) };
    const annotations = {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ metadata: {}, spec }),
    };
    const made = deployment("web", spec, { annotations });
    value(api.create(DEPLOYMENTS, made, { ...AT, fieldManager: "kubectl-client-side-apply" }));
    const wanted = { spec: { ...spec, replicas: 3 } };
    expect(refusal(apply(api, wanted, ALICE)).code).toBe(409);
    expect(value(apply(api, wanted, { ...ALICE, fieldManager: "kubectl" })).spec?.replicas).toBe(3);
    // Someone else has set paused since: that is not kubectl's to take.
    value(api.patch(DEPLOYMENTS, named("web"), { type: "merge", body: { spec: { paused: false } } }, BOB));
    expect(refusal(apply(api, { spec }, { ...ALICE, fieldManager: "kubectl" })).message).toBe(
      'Apply failed with 1 conflict: conflict with "bob" using apps/v1: .spec.paused',
    );
  });

  it("B79: names the scale subresource when an autoscaler owns the replicas", () => {
    const api = hub();
    const spec = { replicas: 1, ...containers({ name: "main", image: "a:1" }) };
    value(apply(api, { spec }, ALICE));
    const scale = object({ metadata: named("web"), spec: { replicas: 5 } });
    value(api.updateScale(DEPLOYMENTS, scale, { ...AT, fieldManager: "mainsheet" }));
    expect(refusal(apply(api, { spec }, ALICE)).message).toBe(
      'Apply failed with 1 conflict: conflict with "mainsheet" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  it("needs to know who applies", () => {
    const status = refusal(apply(hub(), { spec: {} }, { nowMs: T0 }));
    expect(status.message).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  });

  it("leaves the defaults of a custom kind to nobody", () => {
    const api = hub();
    const policies = karmadaType(api, "policy.karmada.io/v1alpha1", "propagationpolicies");
    const body = {
      metadata: { name: "p" },
      spec: { resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap" }] },
    };
    const made = value(api.patch(policies, named("p"), { type: "apply", body }, ALICE));
    expect(made.spec).toMatchObject({ priority: 0, conflictResolution: "Abort" });
    expect(made.metadata.managedFields?.[0]?.fieldsV1).toEqual({ "f:spec": { "f:resourceSelectors": {} } });
  });

  it("of the status makes no object", () => {
    const api = hub();
    const body = { metadata: { name: "web" }, status: { replicas: 1 } };
    expect(
      refusal(
        api.patch(DEPLOYMENTS, named("web"), { type: "apply", body }, { ...ALICE, subresource: "status" }),
      ).code,
    ).toBe(404);
  });

  it("of the status owns nothing else", () => {
    const api = hub();
    const fhpas = karmadaType(api, "autoscaling.karmada.io/v1alpha1", "federatedhpas");
    value(api.create(fhpas, federatedHpa("web"), AT));
    const body = { spec: { maxReplicas: 99 }, status: { desiredReplicas: 3 } };
    const written = value(
      api.patch(fhpas, named("web"), { type: "apply", body }, { ...ALICE, subresource: "status" }),
    );
    expect([written.spec?.maxReplicas, written.status]).toEqual([10, { desiredReplicas: 3 }]);
    expect(written.metadata.managedFields?.[0]).toMatchObject({
      manager: "alice",
      subresource: "status",
      fieldsV1: { "f:status": { "f:desiredReplicas": {} } },
    });
  });
});

describe("managed fields of updates", () => {
  it("move with the value: who changes a field owns it", () => {
    const api = hub();
    const made = value(api.create(DEPLOYMENTS, deployment("web", { replicas: 1 }), ALICE));
    const after = value(api.update(DEPLOYMENTS, { ...made, spec: { ...made.spec, replicas: 2 } }, BOB));
    const [alice, bob] = after.metadata.managedFields ?? [];
    expect([alice?.manager, bob?.manager, bob?.time]).toEqual(["alice", "bob", "2026-03-02T09:00:01Z"]);
    expect(JSON.stringify(alice?.fieldsV1)).not.toContain("f:replicas");
    expect(bob?.fieldsV1).toEqual({ "f:spec": { "f:replicas": {} } });
  });

  it("forget what is gone", () => {
    const api = hub();
    value(api.create(DEPLOYMENTS, deployment("web", {}, { labels: { a: "1" } }), ALICE));
    const after = value(
      api.patch(DEPLOYMENTS, named("web"), { type: "merge", body: { metadata: { labels: null } } }, BOB),
    );
    expect(JSON.stringify(after.metadata.managedFields)).not.toContain('"f:a"');
    expect(managers(after)).toEqual(["Update alice"]);
  });

  it("can be handed over by a client, as kubectl does when it moves to server-side apply", () => {
    const api = hub();
    const made = value(
      api.create(DEPLOYMENTS, deployment("web"), { ...ALICE, fieldManager: "kubectl-client-side-apply" }),
    );
    const entry = { ...made.metadata.managedFields?.[0], manager: "kubectl", operation: "Apply" };
    const body = [{ op: "replace", path: "/metadata/managedFields", value: [entry] }];
    const after = value(api.patch(DEPLOYMENTS, named("web"), { type: "json", body }, ALICE));
    expect(managers(after)).toEqual(["Apply kubectl"]);
  });

  it("handed over with the parents of what they name, remove nothing that is still applied", () => {
    const api = hub();
    const fields = { spec: { replicas: 2, ...containers({ name: "main", image: "a:1" }) } };
    const made = value(apply(api, fields, ALICE));
    const [entry] = made.metadata.managedFields ?? [];
    const { "f:spec": spec, ...rest } = (entry?.fieldsV1 ?? {}) as { "f:spec": object };
    const parent = { ...entry, fieldsV1: { ...rest, "f:spec": { ".": {}, ...spec } } };
    const body = [{ op: "replace", path: "/metadata/managedFields", value: [parent] }];
    value(api.patch(DEPLOYMENTS, named("web"), { type: "json", body }, ALICE));
    const after = value(apply(api, { spec: { ...fields.spec, replicas: 3 } }, ALICE));
    expect(after.spec).toMatchObject({ replicas: 3, selector: { matchLabels: { app: "web" } } });
    expect(mainOf(after)).toMatchObject([{ name: "main", image: "a:1" }]);
  });

  it("are not kept for a writer who gives no name", () => {
    const made = value(hub().create(DEPLOYMENTS, deployment("web"), { nowMs: T0 }));
    expect(made.metadata.managedFields).toBeUndefined();
  });
});
