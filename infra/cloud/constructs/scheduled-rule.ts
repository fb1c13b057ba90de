import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";

export interface ScheduledRuleProps {
  readonly rateMinutes: number;
  readonly target: IFunction;
}

/** Calls a function every so many minutes. A late call is worth nothing: the next one covers its slots. */
export class ScheduledRule extends Construct {
  constructor(scope: Construct, id: string, { rateMinutes, target }: ScheduledRuleProps) {
    super(scope, id);
    const freshness = { retryAttempts: 0, maxEventAge: Duration.seconds(60) };
    target.configureAsyncInvoke(freshness);
    new Rule(this, "Rule", {
      schedule: Schedule.rate(Duration.minutes(rateMinutes)),
      targets: [new LambdaFunction(target, freshness)],
    });
  }
}
