import { Duration } from "aws-cdk-lib";
import { Archive, EventBus } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";

export interface ArchivedBusProps {
  /** 0 keeps nothing. */
  readonly archiveDays: number;
}

/** A bus that keeps its events for a replay. What is replayed only means "evaluate now" (design 1, "Logical time"). */
export class ArchivedBus extends Construct {
  readonly bus: EventBus;

  constructor(scope: Construct, id: string, { archiveDays }: ArchivedBusProps) {
    super(scope, id);
    this.bus = new EventBus(this, "Bus");
    if (archiveDays > 0) {
      new Archive(this, "Archive", {
        sourceEventBus: this.bus,
        eventPattern: { version: ["0"] },
        retention: Duration.days(archiveDays),
      });
    }
  }
}
