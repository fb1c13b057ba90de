import { ACCOUNT, REGION } from "#infra/local/aws/names";

/** An event as rules see it and targets get it. */
export interface EventEnvelope {
  readonly version: "0";
  readonly id: string;
  readonly "detail-type": string;
  readonly source: string;
  readonly account: string;
  /** To the second: EventBridge gives no milliseconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: object;
}

export function envelope(event: {
  id: string;
  source: string;
  detailType: string;
  atMs: number;
  resources: readonly string[];
  detail: object;
}): EventEnvelope {
  return {
    version: "0",
    id: event.id,
    "detail-type": event.detailType,
    source: event.source,
    account: ACCOUNT,
    time: new Date(event.atMs).toISOString().replace(/\.\d{3}Z$/, "Z"),
    region: REGION,
    resources: event.resources,
    detail: event.detail,
  };
}
