import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { finished, mainsheet } from "#test/e2e/mainsheet";

const KINDS = ["--kinds", "Deployment,clonesets.apps.kruise.io"];

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  readonly subjects?: readonly object[];
}

async function rbac(...args: string[]): Promise<readonly Printed[]> {
  const { code, stderr, lines } = await finished(mainsheet("rbac", ...KINDS, ...args));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return parseAllDocuments(lines.join("\n")).map((document) => document.toJS() as Printed);
}

describe("mainsheet rbac", () => {
  it("prints what kubectl can apply: the hub's rights, then the members'", async () => {
    const printed = await rbac();
    expect(printed.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      "ClusterRole mainsheet-read",
      "ClusterRoleBinding mainsheet-read",
      "ClusterRole mainsheet-read",
      "ClusterRoleBinding mainsheet-read",
    ]);
    expect(printed[1]?.subjects).toEqual([
      { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "mainsheet" },
    ]);
    expect(printed[3]?.subjects).toEqual(printed[1]?.subjects);
  });

  it("of active namespaces, writes are bound in these alone", async () => {
    const printed = await rbac("--mode", "active", "--active-namespaces", "shop,web", "--part", "hub");
    const bindings = printed.filter(({ kind }) => kind === "RoleBinding");
    expect(bindings.map(({ metadata }) => metadata)).toEqual([
      { name: "mainsheet-write", namespace: "shop" },
      { name: "mainsheet-write", namespace: "web" },
    ]);
  });

  it("ConfigMaps with shadow specs may be read only where that is asked for, and only those that are named", async () => {
    const ruled = async (...args: string[]) => {
      const printed = await rbac("--mode", "active", ...args);
      return printed.flatMap(({ rules = [] }) =>
        rules.filter(({ resources }) => resources.includes("configmaps")),
      );
    };
    const rule = { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] };
    expect(await ruled()).toEqual([]);
    // Once: on the hub, not in the members.
    expect(await ruled("--shadow")).toEqual([rule]);
    expect(await ruled("--shadow", "next,calm")).toEqual([{ ...rule, resourceNames: ["calm", "next"] }]);
  });

  it("a service account of the hub is a user to the members", async () => {
    const [, binding] = await rbac("--service-account", "karmada-system/mainsheet", "--part", "members");
    expect(binding?.subjects).toMatchObject([
      { kind: "User", name: "system:serviceaccount:karmada-system:mainsheet" },
    ]);
  });

  it.each([
    [
      "a kind without its group",
      ["rbac", "--kinds", "clonesets"],
      "clonesets is no kind; allowed are Deployment, StatefulSet, ReplicaSet, or a resource with its group such as clonesets.apps.kruise.io.",
    ],
    [
      "namespaces without active",
      ["rbac", ...KINDS, "--active-namespaces", "shop"],
      "--active-namespaces goes with --mode active; observe writes nowhere",
    ],
    [
      "two subjects",
      ["rbac", ...KINDS, "--user", "a", "--group", "b"],
      "--user, --group and --service-account exclude each other; give one",
    ],
    [
      "an unknown source of metrics",
      ["rbac", ...KINDS, "--metrics", "prometheus"],
      "prometheus is no source; allowed are custom, external, hub.",
    ],
  ])("%s is one sentence and exit 2", async (_case, args, sentence) => {
    const { code, stderr } = await finished(mainsheet(...args));
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
