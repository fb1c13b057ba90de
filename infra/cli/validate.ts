import { Command } from "commander";
import type { Finding } from "#app/validate/finding";
import { type Report, validateManifests } from "#app/validate/validate-manifests";
import { countText } from "#domain/units/count-text";
import { EXIT } from "./exit.ts";
import { hubSchema } from "./hub-schema.ts";
import { readManifests } from "./manifest-files.ts";
import { paint, print, tableText } from "./terminal.ts";

interface ValidateCommandOptions {
  readonly filename: readonly string[];
  readonly namespace: string;
  readonly json: boolean;
}

/** `mainsheet validate`: what a hub or Mainsheet would refuse in manifests, before anybody applies them. */
export function validateCommand(): Command {
  return new Command("validate")
    .description(
      "Check FederatedHPAs and CronFederatedHPAs in manifests as Karmada's webhooks and Mainsheet do.",
    )
    .requiredOption("-f, --filename <file...>", "YAML or JSON files; - is standard input")
    .option("-n, --namespace <name>", "the namespace of objects that name none", "default")
    .option("--json", "the report as one JSON object", false)
    .addHelpText(
      "after",
      "\nExit 1 when there is a fault; warnings are none. The codes are in docs/faults.md.",
    )
    .action(runValidate);
}

function runValidate({ filename, namespace, json }: ValidateCommandOptions): void {
  const report = validateManifests(readManifests(filename), { namespace, hubSchema });
  const faults = report.findings.filter(({ level }) => level === "fault");
  if (json) print(JSON.stringify({ ...report, faults: faults.length }));
  else for (const line of reportLines(report)) print(line);
  if (faults.length > 0) process.exitCode = EXIT.refused;
}

function reportLines({ checked, passedOver, findings }: Report): string[] {
  const faults = findings.filter(({ level }) => level === "fault").length;
  const summary = [
    `${countText(checked, "object")} checked: ${countText(faults, "fault")}, ${countText(findings.length - faults, "warning")}`,
    ...(passedOver === 0 ? [] : [`${passedOver} of other kinds passed over`]),
  ].join("; ");
  if (findings.length === 0) return [paint("green", summary)];
  const [heading = "", ...rows] = tableText(
    ["LEVEL", "FILE", "OBJECT", "FIELD", "DETAIL"],
    findings.map(({ level, file, object, path, detail }) => [level, file, object, path || "-", detail]),
  );
  const painted = rows.map((row, i) => paint(styleOf(findings[i]), row));
  return [paint("bold", heading), ...painted, summary];
}

function styleOf(finding: Finding | undefined): "red" | "yellow" {
  return finding?.level === "fault" ? "red" : "yellow";
}
