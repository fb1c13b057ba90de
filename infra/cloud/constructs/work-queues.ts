import { Duration } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { QueueSpec } from "#infra/topology";

/** As long as SQS keeps anything: dead letters wait for `parked`, however long it is away. */
const DEAD_LETTERS_KEPT = Duration.days(14);

/** The queues by their name in the topology, each with its dead letters. */
export class WorkQueues extends Construct {
  readonly byName: Readonly<Record<string, Queue>>;

  constructor(scope: Construct, id: string, specs: Readonly<Record<string, QueueSpec>>) {
    super(scope, id);
    const made: Record<string, Queue> = {};
    const make = (name: string): Queue => {
      const spec = specs[name];
      if (spec === undefined) throw new Error(`the topology names queue ${name}, which it does not define`);
      made[name] ??= new Queue(this, name, {
        // Left out for standard queues: CloudFormation takes true or nothing.
        ...(spec.fifo ? { fifo: true } : {}),
        visibilityTimeout: Duration.seconds(spec.visibilitySeconds),
        enforceSSL: true,
        ...(spec.deadLetters === undefined || spec.maxReceives === undefined
          ? { retentionPeriod: DEAD_LETTERS_KEPT }
          : { deadLetterQueue: { queue: make(spec.deadLetters), maxReceiveCount: spec.maxReceives } }),
      });
      return made[name];
    };
    for (const name of Object.keys(specs)) make(name);
    this.byName = made;
  }
}
