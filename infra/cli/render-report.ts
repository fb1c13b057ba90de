import { createHash } from "node:crypto";
import { durationText } from "#domain/units/duration-text";
import { formatInstant } from "#domain/units/instant";
import { bundleBrowser } from "#infra/bundle-browser";
import { figureRows } from "#infra/simulate/figure-rows";
import type {
  SimulatedCronRun,
  SimulatedScale,
  SimulationReport,
  SimulationResult,
} from "#infra/simulate/result";

/**
 * A simulation, or two side by side, as one HTML file that needs nothing else: the figures first, readable without
 * scripts and on paper, then each object's charts. The same report gives the same bytes.
 */
export async function renderReport(report: SimulationReport): Promise<string> {
  const { script, style } = await bundleBrowser("report");
  const [first, second] = report.runs;
  const title = second === undefined ? first.title : `${first.title} and ${second.title}`;
  const keys = new Set(
    report.runs.flatMap(({ objects }) => objects.map(({ namespace, name }) => `${namespace}/${name}`)),
  );
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Mainsheet ${text(first.code)}">
<title>${text(title)}: simulated by Mainsheet</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
<h1>${text(title)}</h1>
<label class="theme">Theme <select id="theme"></select></label>
</header>
<p>${text(subtitle(report))}</p>
${list([...new Set(report.runs.flatMap(({ notes }) => notes))])}
<main>
<section aria-labelledby="figures">
<h2 id="figures">Figures</h2>
${figures(report)}
</section>
${[...keys].map((key) => objectSection(report, key)).join("\n")}
${report.runs.map((run) => cronSection(run, second !== undefined)).join("\n")}
</main>
<noscript><p>The charts need JavaScript; the figures and tables do not.</p></noscript>
<script type="application/json" id="report">${jsonIn(report)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function subtitle({ runs: [{ load, seed, fromMs, toMs, code }] }: SimulationReport): string {
  const span = `${durationText(toMs - fromMs)} from ${formatInstant(fromMs)}`;
  return `Under the load ${load}, ${span}, seed ${seed}, decided by version ${code}. All times are UTC.`;
}

function figures(report: SimulationReport): string {
  const { heading, rows } = figureRows(report);
  const titles = heading.map((title) => title.toLowerCase());
  const [first, second] = report.runs;
  const named = second === undefined ? titles : [titles[0] ?? "", first.title, second.title, titles[3] ?? ""];
  return table("figures", named, rows);
}

function objectSection(report: SimulationReport, key: string): string {
  const target = report.runs.flatMap(({ objects }) =>
    objects.filter(({ namespace, name }) => `${namespace}/${name}` === key).map((object) => object.target),
  )[0];
  const lists = report.runs.map((run) => {
    const object = run.objects.find(({ namespace, name }) => `${namespace}/${name}` === key);
    const scales = object?.scales ?? [];
    const of = report.runs.length > 1 ? ` with ${run.title}` : "";
    if (scales.length === 0) return `<p>No scales${text(of)}.</p>`;
    const rows = scales.map((scale) => scaleCells(scale, run.clusters));
    return `<details><summary>${scales.length} scales${text(of)}</summary>${table(
      "scales",
      ["at", "from", "to", "clusters", "cause"],
      rows,
    )}</details>`;
  });
  return `<section>
<h2>${text(key)}: ${text(target ?? "")}</h2>
<div class="runs${report.runs.length > 1 ? " two" : ""}" data-object="${text(key)}"></div>
${lists.join("\n")}
</section>`;
}

function scaleCells({ atMs, from, to, clustersAfter, cause }: SimulatedScale, clusters: readonly string[]) {
  const after = clusters.flatMap((cluster, i) => {
    const count = clustersAfter[i] ?? 0;
    return count > 0 ? [`${cluster} ${count}`] : [];
  });
  return [formatInstant(atMs), String(from), String(to), after.join(", ") || "-", cause];
}

function cronSection({ title, cronRuns }: SimulationResult, isOneOfTwo: boolean): string {
  if (cronRuns.length === 0) return "";
  const cells = ({ atMs, namespace, name, rule, outcome, effect }: SimulatedCronRun) => [
    formatInstant(atMs),
    `${namespace}/${name}`,
    rule,
    outcome,
    effect,
  ];
  return `<section>
<h2>Cron runs${isOneOfTwo ? ` with ${text(title)}` : ""}</h2>
${table("cron", ["at", "object", "rule", "outcome", "effect"], cronRuns.map(cells))}
</section>`;
}

function table(name: string, heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heading.map((cell) => `<th scope="col">${text(cell)}</th>`).join("");
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${text(cell)}</td>`).join("")}</tr>`)
    .join("\n");
  return `<div class="scrolled" role="region" aria-label="${text(name)}" tabindex="0"><table class="${name}"><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>`;
}

function list(sentences: readonly string[]): string {
  if (sentences.length === 0) return "";
  return `<ul class="quiet">${sentences.map((sentence) => `<li>${text(sentence)}</li>`).join("")}</ul>`;
}

function text(plain: string): string {
  return plain
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** JSON inside a script element: no text in it can end the element. */
function jsonIn(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function hashOf(content: string): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
