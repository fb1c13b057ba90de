import type { Part } from "#infra/parts";
import type { FunctionSpec } from "#infra/topology";
import type { TablePort } from "#ports/table";

/** What a function's role may do, as IAM says it, and on what. */
export interface Grant {
  readonly actions: readonly string[];
  readonly on:
    | Part
    /** The secrets that hold the hubs' kubeconfigs. */
    | { readonly kind: "HUB_SECRETS" }
    /** Actions that IAM cannot bind to a resource. */
    | { readonly kind: "ACCOUNT" };
}

const TABLE_ACTIONS: Readonly<Record<keyof TablePort, string>> = {
  get: "dynamodb:GetItem",
  getMany: "dynamodb:BatchGetItem",
  query: "dynamodb:Query",
  put: "dynamodb:PutItem",
  delete: "dynamodb:DeleteItem",
};

/** What Lambda itself needs to work off a queue for a function. Ref: Lambda Developer Guide, "Configuring a queue". */
export const POLLING_ACTIONS: readonly string[] = [
  "sqs:ReceiveMessage",
  "sqs:DeleteMessage",
  "sqs:GetQueueAttributes",
];

/**
 * The calls that a function makes, by the topology's verbs, and nothing more; the least-privilege test runs every
 * function and compares. Its log is not among them: that is Lambda's.
 */
export function grantsOf(spec: FunctionSpec): readonly Grant[] {
  const { sends, triggers, table, bus, hub, cloudWatch } = spec;
  return [
    ...sends.map((of) => ({ actions: ["sqs:SendMessage"], on: { kind: "QUEUE", of } }) as const),
    ...triggers.flatMap((trigger) =>
      trigger.kind === "queue"
        ? [{ actions: POLLING_ACTIONS, on: { kind: "QUEUE", of: trigger.queue } } as const]
        : [],
    ),
    ...(table.length === 0
      ? []
      : [
          {
            actions: table.map((verb) => TABLE_ACTIONS[verb]),
            on: { kind: "TABLE", of: "state" },
          } as const,
        ]),
    ...(bus === undefined ? [] : [{ actions: ["events:PutEvents"], on: { kind: "BUS", of: bus } } as const]),
    ...(hub ? [{ actions: ["secretsmanager:GetSecretValue"], on: { kind: "HUB_SECRETS" } } as const] : []),
    ...(cloudWatch ? [{ actions: ["cloudwatch:GetMetricData"], on: { kind: "ACCOUNT" } } as const] : []),
  ];
}
