import { CfnElement, type Stack } from "aws-cdk-lib";

/** How a template points at a resource. */
export interface Reference {
  readonly Ref?: string;
  readonly "Fn::GetAtt"?: readonly [id: string, attribute: string];
}

/** The topology's names behind a template's logical ids, read from the constructs' paths. */
export function topologyNames(stack: Stack): {
  readonly nameOf: (id: string) => string;
  readonly referred: (value: Reference) => string;
} {
  const elements = stack.node.findAll().filter((node) => CfnElement.isCfnElement(node));
  const paths = new Map(
    elements.map((element) => [stack.resolve(element.logicalId) as string, element.node.path]),
  );
  const nameOf = (id: string) =>
    /\/(?:Queues\/|(?:Function|Table|Bus|BusRule|Rule)-)([^/]+)\//.exec(paths.get(id) ?? "")?.[1] ?? id;
  return {
    nameOf,
    referred: (value) => nameOf(value.Ref ?? value["Fn::GetAtt"]?.[0] ?? JSON.stringify(value)),
  };
}
