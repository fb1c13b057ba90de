import { expect, it } from "vitest";
import { parse } from "yaml";
import { HUB_CONTEXT, kubeconfigOf } from "#infra/local/kube/kubeconfig";

it("has the hub as its current context and a context for each member, through the hub's proxy", () => {
  const config = parse(kubeconfigOf("http://127.0.0.1:1234", ["member1"])) as {
    "current-context": string;
    clusters: { name: string; cluster: { server: string } }[];
    contexts: { name: string; context: { cluster: string; namespace: string } }[];
  };
  expect(config["current-context"]).toBe(HUB_CONTEXT);
  expect(config.clusters.map(({ name, cluster }) => [name, cluster.server])).toEqual([
    ["karmada-apiserver", "http://127.0.0.1:1234"],
    ["member1", "http://127.0.0.1:1234/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy"],
  ]);
  expect(config.contexts.map(({ name, context }) => [name, context.cluster, context.namespace])).toEqual([
    ["karmada-apiserver", "karmada-apiserver", "default"],
    ["member1", "member1", "default"],
  ]);
});
