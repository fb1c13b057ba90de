import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readYaml } from "#adapters/js-yaml/read-yaml";
import { parseManifests } from "#infra/cli/manifest-files";
import type { KubeObject } from "#ports/kubernetes";
import { decodeFederatedHpa } from "#wire/federated-hpa";
import { decodeShadowSpec, shadowName } from "#wire/shadow-spec";

const path = "docs/examples/shadow.yaml";

describe(path, () => {
  it("has a shadow that is read without a fault, and differs", () => {
    const [object, configMap] = parseManifests(path, readFileSync(path, "utf8")).map(
      ({ value }) => value as KubeObject,
    );
    const real = decodeFederatedHpa(object);
    expect(shadowName(real)).toBe(configMap?.metadata.name);
    const shadow = decodeShadowSpec(real, configMap as KubeObject, readYaml);
    expect(shadow).toMatchObject({
      ok: true,
      object: { name: "web", invalid: [], spec: { minReplicas: 2, maxReplicas: 60 } },
    });
    expect(real.spec).toMatchObject({ minReplicas: 4, maxReplicas: 40 });
  });
});
