import { CORE_SCHEMA, load } from "js-yaml";
import { PortFault } from "#ports/fault";
import type { ReadYaml } from "#ports/yaml";

/** By the parser that is in the functions' bundles anyway, for kubeconfigs. */
export const readYaml: ReadYaml = (text) => {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new PortFault("invalid", `not YAML: ${reason}`, { cause });
  }
};
