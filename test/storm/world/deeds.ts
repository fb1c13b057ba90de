import type { ApiServer } from "#sim/api/api-server";
import type { KubeObject } from "#sim/api/object";
import type { Agenda } from "#test/storm/agenda";
import type { CronDeed, Deed } from "#test/storm/fault";
import { cronName, jobName } from "./cron-documents.ts";
import { fhpaDocument, NAMESPACE, objectName, policyDocument } from "./documents.ts";

const FHPA = ["autoscaling.karmada.io/v1alpha1", "FederatedHPA"] as const;
const DEPLOYMENT = ["apps/v1", "Deployment"] as const;
const CRON = ["autoscaling.karmada.io/v1alpha1", "CronFederatedHPA"] as const;
const POLICY = ["policy.karmada.io/v1alpha1", "PropagationPolicy"] as const;
type Kind = readonly [apiVersion: string, kind: string];

/** A namespace full of FederatedHPAs without targets: cheap, and enough of them make objects share messages. */
const CROWD = "crowd";

/** Does to the hub's objects what people and other programs do. What the hub refuses did not happen. */
export function openDeeds(hub: ApiServer, agenda: Agenda, clusters: readonly string[]) {
  let written = 0;

  const typeOf = ([apiVersion, kind]: Kind) => {
    const type = hub.catalogue.findKind(apiVersion, kind);
    if (type === undefined) throw new Error(`the hub serves no ${kind}`);
    return type;
  };
  const stored = (kind: Kind, name: string): KubeObject | undefined =>
    hub.store.get(typeOf(kind), NAMESPACE, name);

  function patch(kind: Kind, name: string, body: object, fieldManager = "kubectl"): void {
    const write = { nowMs: agenda.nowMs(), fieldManager };
    hub.patch(typeOf(kind), { namespace: NAMESPACE, name }, { type: "merge", body }, write);
  }

  function create(kind: Kind, object: KubeObject): void {
    hub.create(typeOf(kind), object, { nowMs: agenda.nowMs(), fieldManager: "kubectl" });
  }

  function remove(kind: Kind, namespace: string, name: string): void {
    hub.delete(typeOf(kind), { namespace, name }, { nowMs: agenda.nowMs() });
  }

  /** Deletes it, and makes it again as it was. */
  function remake(kind: Kind, name: string, afterSeconds: number): void {
    const former = stored(kind, name);
    if (former === undefined) return;
    remove(kind, NAMESPACE, name);
    const { labels, annotations } = former.metadata;
    const metadata = { name, namespace: NAMESPACE, ...clean({ labels: ownLabels(labels), annotations }) };
    const again = { apiVersion: kind[0], kind: kind[1], metadata, ...clean({ spec: former.spec }) };
    agenda.at(agenda.nowMs() + afterSeconds * 1000, () => create(kind, again as KubeObject));
  }

  function crowd(count: number): void {
    const present = hub.store.list(typeOf(FHPA), CROWD).map(({ metadata }) => metadata.name ?? "");
    for (const name of present.slice(count)) remove(FHPA, CROWD, name);
    if (
      count > present.length &&
      hub.store.get({ group: "", resource: "namespaces" }, undefined, CROWD) === undefined
    )
      create(["v1", "Namespace"], { apiVersion: "v1", kind: "Namespace", metadata: { name: CROWD } });
    for (let i = present.length; i < count; i++) {
      const terms = { minReplicas: 1, maxReplicas: 2, percent: 50, behavior: null, annotations: {} };
      const object = fhpaDocument(`idle-${i}`, `none-${i}`, terms);
      create(FHPA, { ...object, metadata: { ...object.metadata, namespace: CROWD } });
    }
  }

  /** Something of the Deployment moves that nobody decides by. */
  function noteStatus(name: string): void {
    written += 1;
    const body = { status: { observedGeneration: 1_000_000 + written } };
    const write = { nowMs: agenda.nowMs(), fieldManager: "karmada", subresource: "status" } as const;
    hub.patch(typeOf(DEPLOYMENT), { namespace: NAMESPACE, name }, { type: "merge", body }, write);
  }

  function image(name: string): void {
    written += 1;
    const object = stored(DEPLOYMENT, name);
    const template = object?.spec?.template as { spec: { containers: object[] } } | undefined;
    if (template === undefined) return;
    const containers = template.spec.containers.map((one) => ({ ...one, image: `web:${written}` }));
    patch(DEPLOYMENT, name, { spec: { template: { spec: { containers } } } }, "kubectl-set");
  }

  /** As `kubectl scale` does. */
  function hand(name: string, replicas: number): void {
    const write = { nowMs: agenda.nowMs(), fieldManager: "kubectl" };
    const patch = { type: "merge", body: { spec: { replicas } } } as const;
    hub.patchScale(typeOf(DEPLOYMENT), { namespace: NAMESPACE, name }, patch, write);
  }

  function perform(deed: Deed): void {
    if (deed.kind === "crowd") crowd(deed.count);
    else if ("cron" in deed) performOnCron(deed);
    else performOn(objectName(deed.object), deed);
  }

  function performOnCron(deed: CronDeed): void {
    const name = cronName(deed.cron);
    switch (deed.kind) {
      case "cron-rules":
        patch(CRON, name, { spec: { rules: deed.rules } });
        break;
      case "cron-suspend": {
        const rules = (stored(CRON, name)?.spec?.rules ?? []) as readonly object[];
        patch(CRON, name, { spec: { rules: rules.map((rule) => ({ ...rule, suspend: deed.suspend })) } });
        break;
      }
      case "remake-cron":
        remake(CRON, name, deed.afterSeconds);
        break;
      case "remake-job":
        remake(DEPLOYMENT, jobName(deed.cron), deed.afterSeconds);
        break;
      case "hand-job":
        hand(jobName(deed.cron), deed.replicas);
        break;
    }
  }

  function performOn(name: string, deed: Extract<Deed, { readonly object: number }>): void {
    switch (deed.kind) {
      case "bounds": {
        const { minReplicas, maxReplicas } = deed;
        patch(FHPA, name, { spec: { minReplicas, maxReplicas } });
        break;
      }
      case "behavior":
        patch(FHPA, name, { spec: { behavior: null } });
        if (deed.behavior !== null) patch(FHPA, name, { spec: { behavior: deed.behavior } });
        break;
      case "goal": {
        const target = { type: "Utilization", averageUtilization: deed.percent };
        patch(FHPA, name, {
          spec: { metrics: [{ type: "Resource", resource: { name: "cpu", target } }] },
        });
        break;
      }
      case "annotate":
        patch(FHPA, name, { metadata: { annotations: deed.annotations } });
        break;
      case "hand":
        hand(name, deed.replicas);
        break;
      case "image":
        image(name);
        break;
      case "weights": {
        const { spec } = policyDocument(name, deed.weights, clusters, false);
        patch(POLICY, name, { spec });
        break;
      }
      case "remake-object":
        remake(FHPA, name, deed.afterSeconds);
        break;
      case "remake-target":
        remake(DEPLOYMENT, name, deed.afterSeconds);
        break;
      case "rival": {
        const rival = `${name}-rival`;
        const terms = { minReplicas: 1, maxReplicas: 9, percent: 30, behavior: null, annotations: {} };
        create(FHPA, fhpaDocument(rival, name, terms) as KubeObject);
        agenda.at(agenda.nowMs() + deed.forSeconds * 1000, () => remove(FHPA, NAMESPACE, rival));
        break;
      }
      case "foreign-status": {
        written += 1;
        const write = { nowMs: agenda.nowMs(), fieldManager: "karmada-controller-manager" };
        const body = { status: { desiredReplicas: 100 + written } };
        hub.patch(
          typeOf(FHPA),
          { namespace: NAMESPACE, name },
          { type: "merge", body },
          { ...write, subresource: "status" },
        );
        break;
      }
    }
  }

  return { perform, noteStatus, image, hand };
}

/** Without those that Karmada put there. */
function ownLabels(labels: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !key.includes("karmada.io/")));
}

function clean(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
