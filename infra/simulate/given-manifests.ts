import type { Manifest } from "#app/validate/finding";
import { listItems } from "#app/validate/list-items";
import { isJsonObject, type JsonObject, type KubeObject } from "#sim/api/object";
import { hubCatalogue } from "#sim/api/resources";
import { type Copies, expandCopies } from "#sim/scenario/copies";

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
  const scenarios = [...documents.values()].filter(isScenario);
  const [scenario, second] = scenarios;
  if (second !== undefined) faults.push("the files hold more than one Scenario; give one");
  const others = [...documents.values()].filter((document) => !isScenario(document));
  for (const document of expandCopies(others, copiesIn(scenario)) as readonly JsonObject[]) {
    const { apiVersion, kind } = document;
    if (known(String(apiVersion), String(kind))) objects.push(cleaned(document));
    else
      notes.push(`${identity(document)} is left out: the simulator does not know ${kind} of ${apiVersion}`);
  }
  return {
    ...(scenario === undefined ? {} : { scenario: withoutCopies(scenario) }),
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

function isScenario({ kind }: JsonObject): boolean {
  return kind === "Scenario";
}

/** How often a Scenario repeats the other documents; what is wrong with it is said when it is read as a whole. */
function copiesIn(scenario: JsonObject | undefined): Copies | undefined {
  const { copies } = (scenario?.spec ?? {}) as { readonly copies?: Partial<Copies> };
  const { count, namespaces = 1 } = copies ?? {};
  return Number.isInteger(count) && Number.isInteger(namespaces)
    ? { count: count as number, namespaces }
    : undefined;
}

function withoutCopies(scenario: JsonObject): JsonObject {
  if (copiesIn(scenario) === undefined) return scenario;
  const { copies: _expanded, ...spec } = scenario.spec as JsonObject;
  return { ...scenario, spec };
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
