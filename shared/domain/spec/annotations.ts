/** Every annotation of ours that an object can carry; a misspelt one would be passed over without a word. */
export const ANNOTATIONS: readonly string[] = [
  "mainsheet.io/cloudwatch",
  "mainsheet.io/external-metrics",
  "mainsheet.io/lost-cluster",
  "mainsheet.io/lost-cluster-hold",
  "mainsheet.io/metrics-from",
  "mainsheet.io/min-replicas",
  "mainsheet.io/mode",
  "mainsheet.io/object-metric",
  "mainsheet.io/tolerance",
];
