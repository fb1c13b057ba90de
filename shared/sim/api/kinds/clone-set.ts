import type { CrdSpec } from "./crd.ts";
import { anyObject, int32, int64, labelSelector, object, text } from "./schema-terms.ts";

/**
 * OpenKruise's CloneSet, as an example of a workload whose replicas are known by the scale paths of its definition
 * only. Reduced to what scaling needs.
 */
export const CLONE_SET_CRD: CrdSpec = {
  group: "apps.kruise.io",
  scope: "Namespaced",
  names: { plural: "clonesets", kind: "CloneSet", shortNames: ["clone"] },
  versions: [
    {
      name: "v1alpha1",
      served: true,
      storage: true,
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.replicas",
          statusReplicasPath: ".status.replicas",
          labelSelectorPath: ".status.labelSelector",
        },
      },
      additionalPrinterColumns: [
        { name: "DESIRED", type: "integer", jsonPath: ".spec.replicas" },
        { name: "UPDATED", type: "integer", jsonPath: ".status.updatedReplicas" },
        { name: "READY", type: "integer", jsonPath: ".status.readyReplicas" },
        { name: "TOTAL", type: "integer", jsonPath: ".status.replicas" },
        { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
      schema: {
        openAPIV3Schema: object(
          {
            spec: object(
              { replicas: int32, "selector!": labelSelector, "template!": anyObject },
              { "x-kubernetes-preserve-unknown-fields": true },
            ),
            status: object(
              {
                replicas: int32,
                readyReplicas: int32,
                updatedReplicas: int32,
                availableReplicas: int32,
                labelSelector: text,
                observedGeneration: int64,
              },
              { "x-kubernetes-preserve-unknown-fields": true },
            ),
          },
          { description: "CloneSet is OpenKruise's stateless workload." },
        ),
      },
    },
  ],
};
