import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { goDefinitions } from "#infra/local/kube/go-schemas";
import { type KubeObject, keyOf } from "#sim/api/object";
import { KARMADA_WEBHOOKS } from "#sim/hub/webhooks";
import { loadScenario } from "#sim/scenario/load-scenario";
import { parseScenario } from "#sim/scenario/scenario";
import { START_MS, scenarioDocument } from "./small-fleet.ts";

const FOLDER = "docs/examples";
const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".yaml"),
);

function documentsOf(file: string): readonly KubeObject[] {
  return parseAllDocuments(readFileSync(`${FOLDER}/${file}`, "utf8")).map((one) => one.toJS() as KubeObject);
}

describe("docs/examples", () => {
  it("has the kinds that people start with", () => {
    const kinds = files.flatMap(documentsOf).map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining([
        "Deployment",
        "StatefulSet",
        "PropagationPolicy",
        "FederatedHPA",
        "CronFederatedHPA",
      ]),
    );
  });

  it.each(files)(
    "%s is taken by a hub with Karmada's webhooks, field by field, and taken again changed",
    (file) => {
      const parsed = parseScenario([scenarioDocument()]);
      if (!parsed.ok) throw new Error("unreachable");
      const loaded = loadScenario(parsed.value, {
        goDefinitions: goDefinitions(),
        admission: KARMADA_WEBHOOKS,
      });
      if (!loaded.ok) throw new Error("unreachable");
      const { hub } = loaded.fleet;
      for (const document of documentsOf(file)) {
        const type = hub.catalogue.findKind(document.apiVersion, document.kind);
        if (type === undefined) throw new Error(`no ${document.kind}`);
        const apply = (body: KubeObject) =>
          hub.patch(
            type,
            keyOf(body),
            { type: "apply", body },
            {
              nowMs: START_MS,
              fieldManager: "kubectl",
              fieldValidation: "Strict",
            },
          );
        const first = apply(document);
        expect(first).toMatchObject({ ok: true });
        const again = apply(document);
        expect(again.ok && again.value).toBe(first.ok && first.value);
        const labels = { ...document.metadata.labels, team: "blue" };
        const changed = apply({ ...document, metadata: { ...document.metadata, labels } });
        expect(changed.ok && changed.value.metadata.labels).toMatchObject({ team: "blue" });
      }
    },
  );
});
