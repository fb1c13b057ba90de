import type { Manifest } from "#app/validate/finding";
import { listItems } from "#app/validate/list-items";
import { isJsonObject, type JsonObject, type KubeObject } from "#sim/api/object";
import { hubCatalogue } from "#sim/api/resources";

/** The files' documents, sorted by what they are to a simulation. */
export interface GivenManifests {
  /** The one Scenario, where there is one. */
  readonly scenario?: JsonObject;
  readonly loads: readonly KubeObject[];
  readonly others: readonly KubeObject[];
  readonly notes: readonly string[];
  readonly faults: readonly string[];
}

/** What a server puts on an object; a manifest taken with `kubectl get -o yaml` has it. */
const SERVER_FIELDS = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "selfLink",
];
/** What Karmada puts on a template; it would bind the object to a policy that is not here. */
const KARMADA_MARK = /^(cluster)?propagationpolicy\.karmada\.io\/|^resource(binding|template)\.karmada\.io\//;
const OWN_KINDS = ["Load", "Scenario"];

/** `later` documents stand in for those of the same kind and name before them. */
export function readGiven(earlier: readonly Manifest[], later: readonly Manifest[] = []): GivenManifests {
  const notes: string[] = [];
  const faults: string[] = [];
  const documents = new Map<string, JsonObject>();
  for (const manifest of [...earlier, ...later].flatMap(listItems)) {
    const { file, value } = manifest;
    if (!isJsonObject(value) || typeof value.kind !== "string" || typeof value.apiVersion !== "string") {
      faults.push(`${file}: a document is no Kubernetes object; it needs apiVersion and kind`);
      continue;
    }
    documents.set(identity(value), value);
  }
  const known = knownKinds([...documents.values()]);
  const objects: KubeObject[] = [];
  for (const document of documents.values()) {
    const { apiVersion, kind } = document;
    if (kind === "Scenario") continue;
    if (known(String(apiVersion), String(kind))) objects.push(cleaned(document));
    else
      notes.push(`${identity(document)} is left out: the simulator does not know ${kind} of ${apiVersion}`);
  }
  const scenarios = [...documents.values()].filter(({ kind }) => kind === "Scenario");
  const [scenario, second] = scenarios;
  if (second !== undefined) faults.push("the files hold more than one Scenario; give one");
  return {
    ...(scenario === undefined ? {} : { scenario }),
    loads: objects.filter(({ kind }) => kind === "Load"),
    others: objects.filter(({ kind }) => kind !== "Load"),
    notes,
    faults,
  };
}

/** Kinds that the hub serves, or that a definition among the documents makes it serve. */
function knownKinds(documents: readonly JsonObject[]): (apiVersion: string, kind: string) => boolean {
  const catalogue = hubCatalogue();
  const defined = documents
    .filter(({ kind }) => kind === "CustomResourceDefinition")
    .map(({ spec }) => (spec as { readonly names?: { readonly kind?: string } } | undefined)?.names?.kind);
  return (apiVersion, kind) =>
    OWN_KINDS.includes(kind) || defined.includes(kind) || catalogue.findKind(apiVersion, kind) !== undefined;
}

function identity({ kind, metadata }: JsonObject): string {
  const { namespace, name } = (metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
  return `${kind} ${namespace ?? "default"}/${name}`;
}

/** As its author wrote it: without what servers and Karmada add, and active. */
function cleaned({ status: _status, ...document }: JsonObject): KubeObject {
  const metadata = isJsonObject(document.metadata) ? document.metadata : {};
  const kept = Object.entries(metadata).filter(([field]) => !SERVER_FIELDS.includes(field));
  return {
    ...document,
    metadata: Object.fromEntries(
      kept.map(([field, value]) => [
        field,
        field === "labels" || field === "annotations" ? withoutMarks(value) : value,
      ]),
    ),
  } as unknown as KubeObject;
}

function withoutMarks(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !KARMADA_MARK.test(key) && key !== "mainsheet.io/mode"),
  );
}
