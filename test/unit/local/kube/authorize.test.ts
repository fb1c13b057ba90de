import { describe, expect, it } from "vitest";
import { fromKubeconfig } from "#adapters/kubernetes/hub";
import { type Attributes, type RightsManifest, rbac } from "#infra/local/kube/authorize";
import { hubOverHttp } from "#test/unit/local/kube/hub-over-http";

const role = (name: string, ...rules: object[]): RightsManifest => ({
  kind: "ClusterRole",
  metadata: { name },
  rules,
});
const bound = (name: string, namespace?: string): RightsManifest => ({
  kind: namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  roleRef: { name },
});
const ask = (verb: string, resource: string, more: Partial<Attributes> = {}): Attributes => ({
  verb,
  group: "apps",
  resource,
  namespace: "shop",
  name: undefined,
  ...more,
});
const apps = { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list"] };

describe("rights by ClusterRoles and their bindings", () => {
  it.each<[string, readonly RightsManifest[], Attributes, boolean]>([
    ["what is listed", [role("r", apps), bound("r")], ask("list", "deployments"), true],
    ["another verb", [role("r", apps), bound("r")], ask("update", "deployments"), false],
    ["another group", [role("r", apps), bound("r")], ask("list", "deployments", { group: "" }), false],
    ["a role that nothing binds", [role("r", apps)], ask("list", "deployments"), false],
    [
      "a resource's subresource is not the resource",
      [role("r", apps), bound("r")],
      ask("get", "deployments/scale"),
      false,
    ],
    [
      "a subresource of everything",
      [role("r", { ...apps, resources: ["*/scale"] }), bound("r")],
      ask("get", "deployments/scale"),
      true,
    ],
    [
      "a RoleBinding in its namespace",
      [role("r", apps), bound("r", "shop")],
      ask("list", "deployments"),
      true,
    ],
    ["a RoleBinding elsewhere", [role("r", apps), bound("r", "web")], ask("list", "deployments"), false],
    [
      "a RoleBinding for all namespaces",
      [role("r", apps), bound("r", "shop")],
      ask("list", "deployments", { namespace: undefined }),
      false,
    ],
    [
      "a named object",
      [role("r", { ...apps, resourceNames: ["web"] }), bound("r")],
      ask("get", "deployments", { name: "web" }),
      true,
    ],
    [
      "a list, where only a name is allowed",
      [role("r", { ...apps, resourceNames: ["web"] }), bound("r")],
      ask("list", "deployments"),
      false,
    ],
    [
      "everything",
      [role("r", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] }), bound("r")],
      ask("delete", "x"),
      true,
    ],
  ])("%s", (_what, manifests, asked, allowed) => {
    expect(rbac(manifests)(asked)).toBe(allowed);
  });
});

describe("a hub that enforces them", () => {
  it("refuses in the API server's words, and the adapter says which right to grant", async () => {
    const nothing = { hub: () => false, members: () => false };
    const { server } = await hubOverHttp({ rights: nothing });
    const hub = fromKubeconfig(
      JSON.stringify({
        "current-context": "hub",
        contexts: [{ name: "hub", context: { cluster: "hub", user: "me" } }],
        clusters: [{ name: "hub", cluster: { server: server.url } }],
        users: [{ name: "me", user: {} }],
      }),
    );
    try {
      const deployments = { group: "apps", version: "v1", resource: "deployments" };
      await expect(hub.list("hub", deployments, { namespace: "shop" })).rejects.toMatchObject({
        kind: "denied",
        message: expect.stringMatching(
          /cannot list resource "deployments" in API group "apps" in the namespace "shop".*grant list on deployments\.apps/,
        ),
      });
      await expect(hub.list({ member: "member1" }, deployments, {})).rejects.toMatchObject({
        kind: "denied",
      });
      // Discovery is open to all who are known.
      expect(await hub.versionsOf("hub", "apps")).toEqual(["v1"]);
    } finally {
      await hub.close();
      await server.close();
    }
  });
});
