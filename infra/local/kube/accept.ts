import type { IncludeObject } from "#sim/api/view/table";

/** In which form a client wants an object or a list. */
export type Form = "object" | "table" | "metadata" | "discovery-v2" | "discovery-v2beta1";

const KUBERNETES_FORMS: Readonly<Record<string, Form>> = {
  "Table;v=v1;g=meta.k8s.io": "table",
  "PartialObjectMetadata;v=v1;g=meta.k8s.io": "metadata",
  "PartialObjectMetadataList;v=v1;g=meta.k8s.io": "metadata",
  "APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io": "discovery-v2",
  "APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io": "discovery-v2beta1",
};

const remembered = new Map<string, Form | undefined>();

/** The first form of an Accept header that this server has; undefined when it has none (406). JSON only. */
export function acceptedForm(header: string | undefined): Form | undefined {
  if (header === undefined || header === "application/json" || header === "*/*") return "object";
  if (!remembered.has(header)) {
    // Clients send a handful of headers; a stranger who varies them must not grow this for ever.
    if (remembered.size > 100) remembered.clear();
    remembered.set(header, parse(header));
  }
  return remembered.get(header);
}

function parse(header: string): Form | undefined {
  for (const range of header.split(",")) {
    const [mediaType = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (!["application/json", "application/*", "*/*"].includes(mediaType)) continue;
    const values = new Map(parameters.map((parameter) => parameter.split("=") as [string, string]));
    const as = values.get("as");
    if (as === undefined) return "object";
    const form = KUBERNETES_FORMS[`${as};v=${values.get("v")};g=${values.get("g")}`];
    if (form !== undefined) return form;
  }
  return undefined;
}

export function includedObject(query: URLSearchParams): IncludeObject {
  const asked = query.get("includeObject");
  return asked === "None" || asked === "Object" ? asked : "Metadata";
}
