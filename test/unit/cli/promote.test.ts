import { describe, expect, it } from "vitest";
import { memoryClock } from "#adapters/memory/clock";
import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { promote } from "#infra/cli/promote";
import { readScenario } from "#infra/local/scenario-file";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { loadScenario } from "#sim/scenario/load-scenario";
import { CONFIG_MAPS, FEDERATED_HPAS } from "#wire/kubernetes/resources";

const NGINX = { namespace: "default", name: "nginx" };
const by = { fieldManager: "kubectl" };
const SPEC =
  "{ maxReplicas: 20, metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }] }";

async function hubWithShadow() {
  const scenario = readScenario("tutorial");
  if (!scenario.ok) throw new Error(scenario.faults.join("\n"));
  const loaded = loadScenario(scenario.value, { admission: KARMADA_WEBHOOKS });
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const port = memoryKubernetes(loaded.fleet, memoryClock(scenario.value.startMs));
  const metadata = { name: "next", namespace: "default" };
  await port.create(CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { spec: SPEC } }, by);
  await port.mergePatch(
    FEDERATED_HPAS,
    NGINX,
    { metadata: { annotations: { "mainsheet.io/shadow": "next" } } },
    by,
  );
  return port;
}

describe("promoting a shadow", () => {
  it("writes nothing where somebody changed the object after it was shown", async () => {
    const port = await hubWithShadow();
    const racing: typeof port = {
      ...port,
      async mergePatch(resource, name, patch, options) {
        const answer = await port.mergePatch(resource, name, patch, options);
        if (options.dryRun) await port.mergePatch(resource, name, { spec: { maxReplicas: 12 } }, by);
        return answer;
      },
    };
    await expect(promote(racing, NGINX, true)).rejects.toMatchObject({
      exitCode: 1,
      message: "FederatedHPA default/nginx was changed meanwhile and nothing was written; look at it again",
    });
    const { metadata, spec } = await port.get("hub", FEDERATED_HPAS, NGINX);
    expect(spec).toMatchObject({ maxReplicas: 12 });
    expect(metadata.annotations).toMatchObject({ "mainsheet.io/shadow": "next" });
  });

  it("where nobody did, is one write after one trial", async () => {
    const port = await hubWithShadow();
    const patches: (boolean | undefined)[] = [];
    const counted: typeof port = {
      ...port,
      mergePatch(resource, name, patch, options) {
        patches.push(options.dryRun);
        return port.mergePatch(resource, name, patch, options);
      },
    };
    await promote(counted, NGINX, true);
    expect(patches).toEqual([true, undefined]);
    expect((await port.get("hub", FEDERATED_HPAS, NGINX)).spec).toMatchObject({ maxReplicas: 20 });
  });
});
