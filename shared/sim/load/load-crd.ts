import type { CrdSpec } from "#sim/api/kinds/crd";
import {
  anyObject,
  bool,
  int32,
  list,
  object,
  quantity,
  text,
  textMap,
  time,
} from "#sim/api/kinds/schema-terms";
import type { Schema } from "#sim/api/schema";

const seconds: Schema = { type: "number", minimum: 0 };

const shapes = {
  constant: quantity,
  steps: list(object({ "afterSeconds!": seconds, "demand!": quantity })),
  ramp: object({ "from!": quantity, "to!": quantity, afterSeconds: seconds, "overSeconds!": seconds }),
  sine: object({
    "mean!": quantity,
    "amplitude!": quantity,
    "periodSeconds!": { type: "number", minimum: 1 },
    phaseSeconds: { type: "number" },
  }),
  spike: object({
    "base!": quantity,
    "peak!": quantity,
    "afterSeconds!": seconds,
    riseSeconds: seconds,
    "holdSeconds!": seconds,
    fallSeconds: seconds,
  }),
};
const demand = object({ idle: quantity, ...shapes });
const series = { "name!": { ...text, minLength: 1 }, labels: textMap };
const reference = object({ apiVersion: text, "kind!": text, "name!": text });

/** What a workload has to bear (`load.ts`). Amounts are quantities over all pods; seconds count from `since`. */
export const LOAD_CRD: CrdSpec = {
  group: "mainsheet.io",
  scope: "Namespaced",
  names: { plural: "loads", kind: "Load" },
  versions: [
    {
      name: "v1alpha1",
      served: true,
      storage: true,
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: "TARGET-KIND", type: "string", jsonPath: ".spec.target.kind" },
        { name: "TARGET", type: "string", jsonPath: ".spec.target.name" },
        { name: "SINCE", type: "string", jsonPath: ".spec.since" },
      ],
      schema: {
        openAPIV3Schema: object(
          {
            "spec!": object({
              "target!": reference,
              since: time,
              container: text,
              cpu: demand,
              memory: demand,
              noisePercent: { type: "number", minimum: 0, maximum: 100 },
              podMetrics: list(
                object({
                  ...series,
                  factors: { type: "object", additionalProperties: { type: "number", minimum: 0 } },
                  idle: quantity,
                  ...shapes,
                }),
              ),
              objectMetrics: list(object({ ...series, object: reference, whole: bool, ...shapes })),
              externalMetrics: list(object({ ...series, ...shapes })),
            }),
            status: object({ serving: list(object({ "since!": time, "pods!": int32 })) }),
          },
          { description: "Load is the demand on a workload of an embedded fleet." },
        ),
      },
    },
  ],
};

/** The scenario that a fleet was made from, with how far its timeline has run. */
export const SCENARIO_CRD: CrdSpec = {
  group: "mainsheet.io",
  scope: "Cluster",
  names: { plural: "scenarios", kind: "Scenario" },
  versions: [
    {
      name: "v1alpha1",
      served: true,
      storage: true,
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: "START", type: "string", jsonPath: ".spec.start" },
        { name: "DONE", type: "integer", jsonPath: ".status.done" },
        { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
      schema: {
        openAPIV3Schema: object(
          { spec: anyObject, status: object({ done: int32 }) },
          { description: "Scenario is the course of events in an embedded fleet." },
        ),
      },
    },
  ],
};
