/** Every annotation of ours by the kind that carries it; a misspelt one would be passed over without a word. */
export const ANNOTATIONS = {
  FederatedHPA: [
    "mainsheet.io/alarms",
    "mainsheet.io/cloudwatch",
    "mainsheet.io/external-metrics",
    "mainsheet.io/lost-cluster",
    "mainsheet.io/lost-cluster-hold",
    "mainsheet.io/metrics-from",
    "mainsheet.io/min-interval",
    "mainsheet.io/min-replicas",
    "mainsheet.io/mode",
    "mainsheet.io/object-metric",
    "mainsheet.io/shadow",
    "mainsheet.io/tolerance",
  ],
  CronFederatedHPA: ["mainsheet.io/cron-deadline", "mainsheet.io/mode"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
