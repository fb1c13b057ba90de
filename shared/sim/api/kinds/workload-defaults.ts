import { isJsonObject, type JsonObject, type KubeObject } from "#sim/api/object";

/**
 * The defaults that the API server's Go code sets on built-in kinds, as far as clients and controllers see them here.
 * Ref: kubernetes v1.36 pkg/apis/{core,apps}/v1/defaults.go.
 */

export function deploymentDefaults(object: KubeObject): KubeObject {
  const spec = withDefaults(object.spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  const strategy = rollingStrategy(spec.strategy, { maxSurge: "25%", maxUnavailable: "25%" });
  return withField(object, "spec", withTemplate(withField(spec, "strategy", strategy)));
}

export function statefulSetDefaults(object: KubeObject): KubeObject {
  const spec = withDefaults(object.spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: "OrderedReady",
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
  });
  const updateStrategy = rollingStrategy(spec.updateStrategy, { partition: 0 });
  return withField(object, "spec", withTemplate(withField(spec, "updateStrategy", updateStrategy)));
}

export function daemonSetDefaults(object: KubeObject): KubeObject {
  const spec = withDefaults(object.spec, { revisionHistoryLimit: 10 });
  const updateStrategy = rollingStrategy(spec.updateStrategy, { maxSurge: 0, maxUnavailable: 1 });
  return withField(object, "spec", withTemplate(withField(spec, "updateStrategy", updateStrategy)));
}

/** RollingUpdate where nothing else is said, with its own defaults. */
function rollingStrategy(given: unknown, defaults: JsonObject): JsonObject {
  const strategy = withDefaults(given, { type: "RollingUpdate" });
  if (strategy.type !== "RollingUpdate") return strategy;
  return withField(strategy, "rollingUpdate", withDefaults(strategy.rollingUpdate, defaults));
}

export function replicaSetDefaults(object: KubeObject): KubeObject {
  return withField(object, "spec", withTemplate(withDefaults(object.spec, { replicas: 1 })));
}

export function podDefaults(object: KubeObject): KubeObject {
  const status = object.status ?? { phase: "Pending" };
  return { ...object, status, ...(object.spec === undefined ? {} : { spec: podSpecDefaults(object.spec) }) };
}

export function serviceDefaults(object: KubeObject): KubeObject {
  if (object.spec === undefined) return object;
  const spec = withDefaults(object.spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (!Array.isArray(spec.ports)) return { ...object, spec };
  const ports = spec.ports.map((port: JsonObject) =>
    withDefaults(port, { protocol: "TCP", targetPort: port.port }),
  );
  return { ...object, spec: { ...spec, ports } };
}

function withTemplate(spec: JsonObject): JsonObject {
  const { template } = spec;
  if (!isJsonObject(template) || !isJsonObject(template.spec)) return spec;
  const complete = withField(template, "spec", podSpecDefaults(template.spec));
  return withField(spec, "template", complete);
}

/** Of the pod's own spec, or of a template's. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  const complete = withDefaults(spec, {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  });
  return ["containers", "initContainers"].reduce((pod, field) => {
    const containers = pod[field];
    return Array.isArray(containers) ? withField(pod, field, mapped(containers, containerDefaults)) : pod;
  }, complete);
}

function containerDefaults(container: unknown): unknown {
  if (!isJsonObject(container)) return container;
  const image = String(container.image ?? "");
  const isLatest = !/[:@][^/]*$/.test(image) || image.endsWith(":latest");
  const complete = withDefaults(container, {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: isLatest ? "Always" : "IfNotPresent",
  });
  const ports = Array.isArray(complete.ports)
    ? mapped(complete.ports, (port) => withDefaults(port, { protocol: "TCP" }))
    : complete.ports;
  return withField(withField(complete, "ports", ports), "resources", resourceDefaults(complete.resources));
}

/** A limit without a request is the request. */
function resourceDefaults(resources: unknown): unknown {
  if (!isJsonObject(resources) || !isJsonObject(resources.limits)) return resources;
  return withField(resources, "requests", withDefaults(resources.requests, resources.limits));
}

/** What has all of them already is taken as it is: most writes are of objects that were completed before. */
function withDefaults(given: unknown, defaults: JsonObject): JsonObject {
  if (!isJsonObject(given)) return { ...defaults };
  let result: Record<string, unknown> | undefined;
  for (const field in defaults) {
    if (given[field] !== undefined && given[field] !== null) continue;
    result ??= { ...given };
    result[field] = defaults[field];
  }
  return result ?? given;
}

function withField<T extends JsonObject>(object: T, field: string, value: unknown): T {
  return object[field] === value ? object : { ...object, [field]: value };
}

/** Array.map that gives back the same array when no item changed. */
function mapped(items: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const result = items.map(map);
  return result.every((item, i) => item === items[i]) ? items : result;
}
