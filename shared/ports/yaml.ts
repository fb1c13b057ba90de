/** The one document of a YAML text as JSON values, with Kubernetes' types: no dates. Throws `PortFault("invalid")`. */
export type ReadYaml = (text: string) => unknown;
