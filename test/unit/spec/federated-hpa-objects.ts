type Json = Readonly<Record<string, unknown>>;

/** A FederatedHPA that Karmada's webhook admits; `spec` replaces members of its spec. */
export function federatedHpa(spec: Json = {}, metadata: Json = {}, rest: Json = {}): Json {
  return {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "FederatedHPA",
    metadata: { name: "web", namespace: "shop", ...metadata },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [cpu()],
      ...spec,
    },
    ...rest,
  };
}

export function cpu(target: Json = { type: "Utilization", averageUtilization: 50 }): Json {
  return { type: "Resource", resource: { name: "cpu", target } };
}

export function ingress(target: Json, object: Json = {}): Json {
  return {
    type: "Object",
    object: {
      describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "front" },
      metric: { name: "hits" },
      target,
      ...object,
    },
  };
}

export function queue(target: Json, metric: Json = { name: "queue" }): Json {
  return { type: "External", external: { metric, target } };
}

export function rules(members: Json = {}): Json {
  return { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }], ...members };
}
