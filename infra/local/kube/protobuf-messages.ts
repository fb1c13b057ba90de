/**
 * The protobuf messages that kubectl's typed commands send (`create deployment`, `create namespace` …), as far as those
 * commands fill them. Ref: k8s.io/api v0.36 {core,apps}/v1/generated.proto, apimachinery meta/v1/generated.proto.
 *
 * Each field is `name:type` under its number. `name*` may come more than once, `name{}` is a map from text. A trailing
 * `?` marks a pointer in Go: its zero was said on purpose. Other zeros are how Go writes what was not said.
 */
export type MessageFields = Readonly<Record<number, string>>;

const WORKLOAD = (spec: string): MessageFields => ({ 1: "metadata:ObjectMeta", 2: `spec:${spec}` });

export const MESSAGES: Readonly<Record<string, MessageFields>> = {
  Namespace: { 1: "metadata:ObjectMeta" },
  ConfigMap: { 1: "metadata:ObjectMeta", 2: "data{}:string", 3: "binaryData{}:bytes", 4: "immutable:bool?" },
  Secret: {
    1: "metadata:ObjectMeta",
    2: "data{}:bytes",
    3: "type:string",
    4: "stringData{}:string",
    5: "immutable:bool?",
  },
  Service: WORKLOAD("ServiceSpec"),
  Pod: WORKLOAD("PodSpec"),
  Deployment: WORKLOAD("DeploymentSpec"),

  ObjectMeta: {
    1: "name:string",
    2: "generateName:string",
    3: "namespace:string",
    5: "uid:string",
    6: "resourceVersion:string",
    11: "labels{}:string",
    12: "annotations{}:string",
    14: "finalizers*:string",
  },
  ServiceSpec: {
    1: "ports*:ServicePort",
    2: "selector{}:string",
    3: "clusterIP:string",
    4: "type:string",
    7: "sessionAffinity:string",
    10: "externalName:string",
  },
  ServicePort: {
    1: "name:string",
    2: "protocol:string",
    3: "port:int",
    4: "targetPort:IntOrString",
    5: "nodePort:int",
  },
  DeploymentSpec: {
    1: "replicas:int?",
    2: "selector:LabelSelector",
    3: "template:PodTemplateSpec",
    4: "strategy:DeploymentStrategy",
    5: "minReadySeconds:int",
    6: "revisionHistoryLimit:int?",
    7: "paused:bool",
    9: "progressDeadlineSeconds:int?",
  },
  DeploymentStrategy: { 1: "type:string" },
  LabelSelector: { 1: "matchLabels{}:string", 2: "matchExpressions*:LabelSelectorRequirement" },
  LabelSelectorRequirement: { 1: "key:string", 2: "operator:string", 3: "values*:string" },
  PodTemplateSpec: { 1: "metadata:ObjectMeta", 2: "spec:PodSpec" },
  PodSpec: {
    2: "containers*:Container",
    3: "restartPolicy:string",
    4: "terminationGracePeriodSeconds:int?",
    6: "dnsPolicy:string",
    7: "nodeSelector{}:string",
    8: "serviceAccountName:string",
    10: "nodeName:string",
    19: "schedulerName:string",
    20: "initContainers*:Container",
  },
  Container: {
    1: "name:string",
    2: "image:string",
    3: "command*:string",
    4: "args*:string",
    5: "workingDir:string",
    6: "ports*:ContainerPort",
    7: "env*:EnvVar",
    8: "resources:ResourceRequirements",
    14: "imagePullPolicy:string",
  },
  ContainerPort: { 1: "name:string", 2: "hostPort:int", 3: "containerPort:int", 4: "protocol:string" },
  EnvVar: { 1: "name:string", 2: "value:string" },
  ResourceRequirements: { 1: "limits{}:Quantity", 2: "requests{}:Quantity" },
  DeleteOptions: {
    1: "gracePeriodSeconds:int?",
    2: "preconditions:Preconditions",
    4: "propagationPolicy:string",
    5: "dryRun*:string",
  },
  Preconditions: { 1: "uid:string", 2: "resourceVersion:string" },
};
