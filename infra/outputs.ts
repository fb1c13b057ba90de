/** How a stack tells where its parts are, so that `mainsheet --stack` finds them: outputs, known by their descriptions. */
export interface PartAddress {
  readonly part: "table" | "queue" | "bus" | "hubs";
  /** The part's name in the topology. */
  readonly name: string;
}

export function outputDescription({ part, name }: PartAddress): string {
  return `Mainsheet's ${part} ${name}`.trim();
}

/** Undefined for an output that is none of ours. */
export function parseOutputDescription(text: string): PartAddress | undefined {
  const [, part, name = ""] = /^Mainsheet's (table|queue|bus|hubs)(?: (\S+))?$/.exec(text) ?? [];
  return part === undefined ? undefined : { part: part as PartAddress["part"], name };
}
