import { type IEventBus, type IRuleTarget, Rule } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";
import type { BusRuleSpec } from "#infra/topology";

export interface BusRuleProps {
  /** Default: the account's own. */
  readonly bus?: IEventBus;
  readonly pattern: BusRuleSpec["pattern"];
  readonly target: IRuleTarget;
}

/** Takes from a bus what matches, and brings it on. */
export class BusRule extends Construct {
  constructor(scope: Construct, id: string, { bus, pattern, target }: BusRuleProps) {
    super(scope, id);
    new Rule(this, "Rule", {
      ...(bus === undefined ? {} : { eventBus: bus }),
      eventPattern: { source: [...pattern.source], detailType: [...pattern["detail-type"]] },
      targets: [target],
    });
  }
}
