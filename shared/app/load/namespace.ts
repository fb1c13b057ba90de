import { type Claim, claimants } from "#domain/fleet/overlap";
import type { Pod } from "#domain/fleet/pod";
import type { AutoscalerWrite, Binding, Read, Target } from "#domain/fleet/snapshot";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { groupBy } from "#domain/units/group";
import { parseSelector } from "#domain/units/selector-parse";
import type { ObjectKey } from "#domain/work/shards";
import type { KubeObject, ResourceRef } from "#ports/kubernetes";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { FIELD_MANAGER } from "#wire/field-manager";
import { bindsTarget, decodeBinding } from "#wire/kubernetes/binding";
import { autoscalerWrites, replicasWrite } from "#wire/kubernetes/managed-fields";
import { FEDERATED_HPAS, RESOURCE_BINDINGS } from "#wire/kubernetes/resources";
import { decodeMemberScale, decodeTarget, type ScalePaths } from "#wire/kubernetes/workload";
import { faultOf, type LoadContext, MAX_SELECTOR_LENGTH, readFault, readNamed } from "./context.ts";
import { type ScalableKind, scalableKind } from "./kinds.ts";
import { readShadow, type Shadow } from "./shadow-specs.ts";

/** One namespace of the hub, as far as the wanted objects need it. */
export interface NamespaceWorld {
  /** Every FederatedHPA of the namespace by name: overlaps are found among all of them. */
  readonly objects: ReadonlyMap<string, FederatedHpa>;
  /** The shadows of those objects that are wanted and have one, by the object's name. */
  readonly shadows: ReadonlyMap<string, Shadow>;
  /** What stands behind each object, by its name. */
  readonly targets: ReadonlyMap<string, TargetWorld>;
  /** Tells whose pods some pods are. */
  readonly claimants: (pods: Iterable<Pod>) => ReadonlySet<string>;
}

export interface TargetWorld {
  readonly resource?: ResourceRef;
  readonly target: Read<Target>;
  readonly binding?: Read<Binding>;
  readonly autoscalerWrites: readonly AutoscalerWrite[];
}

/** Set by Karmada on every template that a policy covers, with the id of that policy, and on its bindings. */
const PERMANENT_IDS = [
  "propagationpolicy.karmada.io/permanent-id",
  "clusterpropagationpolicy.karmada.io/permanent-id",
];

/**
 * Reads a namespace in three steps, each one request per kind: its FederatedHPAs, their targets, and the targets'
 * bindings. The targets of all are read, since two whose pods overlap stop each other (B27). Throws only when the
 * FederatedHPAs themselves cannot be read.
 */
export async function readNamespace(
  context: LoadContext,
  namespace: string,
  wanted: readonly ObjectKey[],
): Promise<NamespaceWorld> {
  const { items } = await context.port.list("hub", FEDERATED_HPAS, { namespace });
  const decoded = items.map((raw) => ({ raw, object: decodeFederatedHpa(raw) }));
  const objects = new Map(decoded.map(({ object }) => [object.name, object]));
  const [templates, shadows] = await Promise.all([
    readTemplates(context, namespace, [...objects.values()]),
    readShadows(
      context,
      wanted.flatMap(({ name }) => objects.get(name) ?? []),
    ),
  ]);
  const bindings = await readBindings(context, namespace, templates.values());
  const targets = new Map(
    decoded.flatMap(({ raw, object: { name } }) => {
      const template = templates.get(name);
      return template ? [[name, targetWorld(raw, template, bindings, namespace)] as const] : [];
    }),
  );
  return { objects, shadows, targets, claimants: claimants(claimsOf(namespace, templates)) };
}

async function readShadows(
  context: LoadContext,
  objects: readonly FederatedHpa[],
): Promise<ReadonlyMap<string, Shadow>> {
  const read = await Promise.all(
    objects.map(async (object) => [object.name, await readShadow(context, object)] as const),
  );
  return new Map(read.flatMap(([name, shadow]) => (shadow === undefined ? [] : [[name, shadow] as const])));
}

function claimsOf(namespace: string, templates: ReadonlyMap<string, Template>): Claim[] {
  return [...templates].flatMap(([name, { object, paths }]) => {
    const scale = object.ok ? decodeMemberScale(object.value, paths) : undefined;
    if (!scale?.ok || scale.value.selector === "") return [];
    const selector = parseSelector(scale.value.selector);
    return selector.ok ? [{ object: `${namespace}/${name}`, selector: selector.value }] : [];
  });
}

interface Template extends Partial<ScalableKind> {
  readonly object: Read<KubeObject>;
}

async function readTemplates(
  context: LoadContext,
  namespace: string,
  objects: readonly FederatedHpa[],
): Promise<ReadonlyMap<string, Template>> {
  const kinds = groupBy(objects, ({ spec: { scaleTargetRef: ref } }) => `${ref.apiVersion}/${ref.kind}`);
  const read = await Promise.all([...kinds.values()].map((same) => readKind(context, namespace, same)));
  return new Map(read.flat());
}

async function readKind(
  context: LoadContext,
  namespace: string,
  objects: readonly FederatedHpa[],
): Promise<(readonly [string, Template])[]> {
  const { apiVersion, kind } = (objects[0] as FederatedHpa).spec.scaleTargetRef;
  const all = (template: Template) => objects.map(({ name }) => [name, template] as const);
  if (apiVersion.split("/").length > 2 || apiVersion === "") {
    const message = `invalid API version in scale target reference: unexpected GroupVersion string: ${apiVersion}`;
    return all({ object: readFault("target-version-invalid", message) });
  }
  try {
    const served = await scalableKind(context, "hub", apiVersion, kind);
    if (served === undefined) {
      const message = `no scalable kind ${kind} in ${apiVersion} on the hub; install its CRD or correct scaleTargetRef`;
      return all({ object: readFault("target-kind-unknown", message) });
    }
    const { resource } = served;
    const names = new Set(objects.map(({ spec }) => spec.scaleTargetRef.name));
    const found = await readNamed(context, "hub", resource, kind, namespace, names);
    return objects.map(({ name, spec }) => {
      const object = found.get(spec.scaleTargetRef.name);
      const missing = `${resource.resource}${resource.group && `.${resource.group}`} "${spec.scaleTargetRef.name}" not found`;
      return [
        name,
        { ...served, object: object ? { ok: true, value: object } : readFault("target-missing", missing) },
      ];
    });
  } catch (error) {
    return all({ object: { ok: false, fault: faultOf(error, "target-unreadable") } });
  }
}

/** The bindings of these templates, by the policies' ids where all templates have the same kind of policy. */
async function readBindings(
  context: LoadContext,
  namespace: string,
  templates: Iterable<Template>,
): Promise<Read<readonly KubeObject[]>> {
  const ids = new Map<string, Set<string>>();
  for (const { object } of templates) {
    const id = object.ok ? permanentId(object.value) : undefined;
    if (id) ids.set(id.label, (ids.get(id.label) ?? new Set()).add(id.value));
  }
  const [only, ...others] = ids;
  if (only === undefined) return { ok: true, value: [] };
  const labelSelector = `${only[0]} in (${[...only[1]].sort().join(",")})`;
  const narrows = others.length === 0 && labelSelector.length <= MAX_SELECTOR_LENGTH;
  try {
    const query = { namespace, ...(narrows ? { labelSelector } : {}) };
    return { ok: true, value: (await context.port.list("hub", RESOURCE_BINDINGS, query)).items };
  } catch (error) {
    return { ok: false, fault: faultOf(error, "binding-unreadable") };
  }
}

function permanentId(template: KubeObject): { readonly label: string; readonly value: string } | undefined {
  for (const label of PERMANENT_IDS) {
    const value = template.metadata.labels?.[label];
    if (value) return { label, value };
  }
  return undefined;
}

function targetWorld(
  raw: KubeObject,
  template: Template,
  bindings: Read<readonly KubeObject[]>,
  namespace: string,
): TargetWorld {
  const { object } = template;
  const read = object.ok ? object.value : undefined;
  const world = {
    ...(template.resource === undefined ? {} : { resource: template.resource }),
    autoscalerWrites: autoscalerWrites(raw, read, FIELD_MANAGER),
  };
  if (!object.ok) return { ...world, target: object };
  return {
    ...world,
    target: targetOf(object.value, template.paths),
    binding: bindingOf(object.value, bindings, namespace),
  };
}

function targetOf(template: KubeObject, paths: ScalePaths | undefined): Read<Target> {
  const target = decodeTarget(template, paths);
  const write = replicasWrite(template);
  if (!target.ok || write === undefined) return target;
  const told = write.manager === FIELD_MANAGER ? { ownWriteAtMs: write.atMs } : { foreignWrite: write };
  return { ok: true, value: { ...target.value, ...told } };
}

function bindingOf(
  template: KubeObject,
  bindings: Read<readonly KubeObject[]>,
  namespace: string,
): Read<Binding> {
  const id = permanentId(template);
  if (id === undefined) {
    return readFault("binding-label-missing", "no label of policy permanent-id found on the target resource");
  }
  if (!bindings.ok) return bindings;
  const candidates = bindings.value.filter((binding) => binding.metadata.labels?.[id.label] === id.value);
  if (candidates.length === 0) return readFault("binding-missing", "length of binding list is zero");
  const found = candidates.find((binding) => bindsTarget(binding, template, namespace));
  if (found === undefined) return readFault("binding-missing", "no binding matches the target resource");
  return decodeBinding(found);
}
