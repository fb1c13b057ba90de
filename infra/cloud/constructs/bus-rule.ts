import { type EventPattern, type IEventBus, type IRuleTarget, Rule } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";

export interface BusRuleProps {
  /** Default: the account's own. */
  readonly bus?: IEventBus;
  /** As EventBridge has it. */
  readonly pattern: Readonly<Record<string, unknown>>;
  readonly target: IRuleTarget;
}

/** Takes from a bus what matches, and brings it on. */
export class BusRule extends Construct {
  constructor(scope: Construct, id: string, { bus, pattern, target }: BusRuleProps) {
    super(scope, id);
    const { "detail-type": detailType, ...rest } = pattern;
    const eventPattern = { ...rest, ...(detailType === undefined ? {} : { detailType }) } as EventPattern;
    new Rule(this, "Rule", {
      ...(bus === undefined ? {} : { eventBus: bus }),
      eventPattern,
      targets: [target],
    });
  }
}
