import { describe, expect, it } from "vitest";
import type { Finding } from "#app/validate/finding";
import { validateManifests } from "#app/validate/validate-manifests";
import { ANNOTATIONS } from "#domain/spec/annotations";
import { hubSchema } from "#infra/cli/hub-schema";
import { parseManifests } from "#infra/cli/manifest-files";
import { sourceFiles } from "#test/infra/source-files";
import { cpu, federatedHpa, ingress, queue, rules } from "#test/unit/spec/federated-hpa-objects";

type Json = Readonly<Record<string, unknown>>;

const DEPLOYMENT = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const RULE = { name: "morning", schedule: "0 8 * * *", targetReplicas: 4 };

function cron(spec: Json = {}, metadata: Json = {}): Json {
  return {
    apiVersion: "autoscaling.karmada.io/v1alpha1",
    kind: "CronFederatedHPA",
    metadata: { name: "hours", namespace: "shop", ...metadata },
    spec: { scaleTargetRef: { ...DEPLOYMENT, name: "reports" }, rules: [RULE], ...spec },
  };
}

function validate(...values: unknown[]) {
  const manifests = values.map((value) => ({ file: "all.yaml", value }));
  return validateManifests(manifests, { namespace: "default", hubSchema });
}

const brief = ({ level, path, detail }: Finding) => `${level} ${path}: ${detail}`;

describe("faults: what Karmada's webhooks refuse, what Mainsheet refuses on read, what the hub's schema lacks", () => {
  it.each<[string, Json, readonly string[]]>([
    [
      "semantics 4.3: all faults at once, with their paths",
      federatedHpa({
        minReplicas: -1,
        maxReplicas: 0,
        metrics: [cpu({ type: "Utilization", averageUtilization: 0 })],
        behavior: { scaleUp: { stabilizationWindowSeconds: 4000, policies: [] } },
      }),
      [
        "fault spec.minReplicas: Invalid value: -1: must be greater than or equal to 0",
        "fault spec.maxReplicas: Invalid value: 0: must be greater than 0",
        "fault spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
        "fault spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 4000: must be less than or equal to 3600",
        "fault spec.behavior.scaleUp.policies: Required value: must specify at least one Policy",
      ],
    ],
    [
      "B40: min above max",
      federatedHpa({ minReplicas: 20, maxReplicas: 10 }),
      ["fault spec.maxReplicas: Invalid value: 10: must be greater than or equal to `minReplicas`"],
    ],
    [
      "semantics 4.3: defaults come first, so a spec without metrics or min is whole",
      federatedHpa({ minReplicas: undefined, metrics: undefined }),
      [],
    ],
    [
      "D-16, B16: a target of type Value without its value is no fault for the webhook, and one here",
      federatedHpa({ metrics: [ingress({ type: "Value", averageValue: "10" })] }),
      ["fault spec.metrics[0].object.target.value: Required value: must be set for a target of type Value"],
    ],
    [
      "D-17: an annotation is checked as the field that it stands in for",
      federatedHpa(
        {},
        { annotations: { "mainsheet.io/min-replicas": "-1", "mainsheet.io/tolerance": "10%" } },
      ),
      [
        'fault metadata.annotations[mainsheet.io/min-replicas]: Invalid value: "-1": must be a whole number from 0 to 2147483647',
        'fault metadata.annotations[mainsheet.io/tolerance]: Invalid value: "10%": must be an amount of 0 or more such as 0.05, or scaleUp=0.05,scaleDown=0.2',
      ],
    ],
    [
      "D-09: the annotation for lost clusters",
      federatedHpa({}, { annotations: { "mainsheet.io/lost-cluster": "asume-equal" } }),
      ['fault metadata.annotations[mainsheet.io/lost-cluster]: "asume-equal" must be hold or assume-equal'],
    ],
    [
      "a misspelt field, which kubectl refuses too",
      federatedHpa({ minReplica: 2 }),
      ["fault spec.minReplica: the hub has no such field; correct its name or place"],
    ],
    [
      "a missing field is said once, not as its zero and its parts",
      { ...federatedHpa(), spec: { maxReplicas: 3 } },
      ["fault spec.scaleTargetRef: Required value"],
    ],
    [
      "a field of another type ends the search in the webhook's words",
      federatedHpa({ maxReplicas: "3" }),
      [
        "fault spec.maxReplicas: json: cannot unmarshal string into Go struct field FederatedHPASpec.spec.maxReplicas of type int32",
      ],
    ],
    [
      "another version of the API",
      { ...federatedHpa(), apiVersion: "autoscaling.karmada.io/v1" },
      ['fault apiVersion: "autoscaling.karmada.io/v1" is not served; write autoscaling.karmada.io/v1alpha1'],
    ],
    ["a sound CronFederatedHPA", cron(), []],
    [
      "D-22: the rules of a CronFederatedHPA",
      cron({
        rules: [
          { ...RULE, schedule: "0 8 * * 7" },
          { ...RULE, timeZone: "Mars/Base", targetReplicas: -1 },
        ],
      }),
      [
        'fault spec.rules[0].schedule: Invalid value: "0 8 * * 7": "0 8 * * 7" has "7" as day of week, which is out of range; write 0-6 (sun is 0, sat 6), *, lists, ranges or steps',
        'fault spec.rules[1].name: Duplicate value: "morning"',
        'fault spec.rules[1].timeZone: Invalid value: "Mars/Base": "Mars/Base" is not a known time zone; name one such as Europe/Berlin',
        'fault spec.rules[1].targetReplicas: Invalid value: "": targetReplicas should be larger than or equal to 0',
      ],
    ],
    [
      "the hub's schema: bounds that the webhook leaves to it",
      cron({ rules: [{ ...RULE, name: "n".repeat(33), failedHistoryLimit: 40 }] }),
      [
        "fault spec.rules[0].name: Too long: may not be more than 32 bytes",
        "fault spec.rules[0].failedHistoryLimit: Invalid value: 40: spec.rules[0].failedHistoryLimit in body should be less than or equal to 32",
      ],
    ],
  ])("%s", (_, manifest, found) => {
    expect(validate(manifest).findings.map(brief)).toEqual(found);
  });

  it("an object that names no namespace gets the one it would be applied to", () => {
    const { findings } = validate(federatedHpa({ minReplicas: 11 }, { namespace: undefined }));
    expect(findings.map(({ object }) => object)).toEqual(["FederatedHPA default/web"]);
  });
});

describe("warnings: taken here, refused or dropped by a stock hub (D-17)", () => {
  it.each<[string, Json, readonly string[]]>([
    [
      "min 0",
      federatedHpa({ minReplicas: 0 }),
      [
        'warning spec.minReplicas: a stock Karmada hub refuses 0; the annotation mainsheet.io/min-replicas: "0" says the same there',
      ],
    ],
    [
      "External metrics",
      federatedHpa({ metrics: [cpu(), queue({ type: "AverageValue", averageValue: "30" })] }),
      [
        "warning spec.metrics[1]: a stock Karmada hub refuses External metrics; the annotation mainsheet.io/external-metrics says the same there",
      ],
    ],
    [
      "tolerance",
      federatedHpa({ behavior: { scaleDown: rules({ tolerance: "0.05" }) } }),
      [
        "warning spec.behavior.scaleDown.tolerance: a stock Karmada hub deletes it; the annotation mainsheet.io/tolerance says the same there",
      ],
    ],
    [
      "the annotations that say the same: nothing to warn of",
      federatedHpa(
        {},
        { annotations: { "mainsheet.io/min-replicas": "0", "mainsheet.io/tolerance": "0.05" } },
      ),
      [],
    ],
    [
      "a misspelt annotation, and a mode that is none",
      federatedHpa({}, { annotations: { "mainsheet.io/tolerence": "0.1", "mainsheet.io/mode": "on" } }),
      [
        `warning metadata.annotations[mainsheet.io/tolerence]: nothing reads it on a FederatedHPA; known are ${ANNOTATIONS.FederatedHPA.map((name) => name.slice(13)).join(", ")}`,
        'warning metadata.annotations[mainsheet.io/mode]: "on" is taken as observe; write observe or active',
      ],
    ],
  ])("%s", (_, manifest, found) => {
    expect(validate(manifest).findings.map(brief)).toEqual(found);
  });

  it("an annotation on the wrong kind", () => {
    const annotations = { "mainsheet.io/cron-deadline": "5m" };
    expect(validate(cron({}, { annotations })).findings).toEqual([]);
    expect(validate(federatedHpa({}, { annotations })).findings.map(({ code }) => code)).toEqual([
      "annotation-unknown",
    ]);
  });

  it("a deadline that is none", () => {
    const annotations = { "mainsheet.io/cron-deadline": "soon" };
    expect(validate(cron({}, { annotations })).findings.map(brief)).toEqual([
      'warning metadata.annotations[mainsheet.io/cron-deadline]: "soon" must be a duration of 0 or more such as 30m; 10m holds until then',
    ]);
  });

  it("knows every annotation that the source reads", () => {
    const read = sourceFiles("shared", "functions").flatMap(({ text }) =>
      [...text.matchAll(/"(mainsheet\.io\/[a-z-]+)"/g)].map(([, name = ""]) => name),
    );
    expect(new Set(read).size).toBeGreaterThan(5);
    expect(Object.values(ANNOTATIONS).flat()).toEqual(expect.arrayContaining([...new Set(read)]));
  });
});

describe("warnings: two objects that pull one workload", () => {
  it("B79: a CronFederatedHPA and a FederatedHPA on one Deployment are told of each other", () => {
    const { findings } = validate(cron({ scaleTargetRef: DEPLOYMENT }), federatedHpa());
    expect(findings.map((finding) => `${finding.object} ${brief(finding)}`)).toEqual([
      "CronFederatedHPA shop/hours warning spec.scaleTargetRef: FederatedHPA shop/web scales Deployment web too and pulls back what is set here; let the CronFederatedHPA set the FederatedHPA's min and max instead",
      "FederatedHPA shop/web warning spec.scaleTargetRef: CronFederatedHPA shop/hours sets Deployment web too, and is pulled back from here; let the CronFederatedHPA set the FederatedHPA's min and max instead",
    ]);
  });

  it("B27: two FederatedHPAs on one Deployment are both stopped", () => {
    const { findings } = validate(federatedHpa(), federatedHpa({}, { name: "other" }));
    expect(findings.map(({ detail }) => detail)).toEqual([
      "FederatedHPA shop/other scales Deployment web too, so both are stopped (AmbiguousSelector); keep one",
      "FederatedHPA shop/web scales Deployment web too, so both are stopped (AmbiguousSelector); keep one",
    ]);
  });

  it.each<[string, Json, Json]>([
    ["two CronFederatedHPAs get along", cron(), cron({}, { name: "weekend" })],
    [
      "another namespace is another Deployment",
      federatedHpa(),
      cron({ scaleTargetRef: DEPLOYMENT }, { namespace: "ops" }),
    ],
    [
      "a CronFederatedHPA on the FederatedHPA itself is the way to do it",
      federatedHpa(),
      cron({
        scaleTargetRef: { apiVersion: "autoscaling.karmada.io/v1alpha1", kind: "FederatedHPA", name: "web" },
        rules: [{ name: "morning", schedule: "0 8 * * *", targetMinReplicas: 4 }],
      }),
    ],
  ])("%s", (_, one, other) => {
    expect(validate(one, other).findings).toEqual([]);
  });
});

describe("documents", () => {
  it("other kinds are passed over and counted, the items of a List stand for it", () => {
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "web" } };
    const list = { apiVersion: "v1", kind: "List", items: [federatedHpa(), service, service] };
    expect(validate(list, service, cron())).toEqual({ checked: 2, passedOver: 3, findings: [] });
  });

  it.each<[string, unknown]>([
    ["a list", [1]],
    ["a text", "kind"],
    ["a mapping without kind", { apiVersion: "v1" }],
    ["a mapping without apiVersion", { kind: "FederatedHPA" }],
  ])("%s is no Kubernetes object", (_, value) => {
    expect(validate(value)).toMatchObject({
      checked: 0,
      passedOver: 0,
      findings: [{ code: "document-form" }],
    });
  });

  it.each<[string, string, readonly unknown[]]>([
    [
      "several documents, empty ones left out",
      "a: 1\n---\n---\n# nothing\n---\nb: 2\n",
      [{ a: 1 }, { b: 2 }],
    ],
    ["JSON", '{"a": [1, "x"]}', [{ a: [1, "x"] }]],
    ["an unquoted on is a boolean, as for a hub", "name: on", [{ name: true }]],
    [
      "a time of day and a date are texts, as for a hub",
      "a: 08:30\nb: 2026-03-01",
      [{ a: "08:30", b: "2026-03-01" }],
    ],
    ["merge keys", "p: &p { a: 1 }\nq: { <<: *p, b: 2 }", [{ p: { a: 1 }, q: { a: 1, b: 2 } }]],
    ["nothing", "", []],
  ])("reads %s", (_, text, values) => {
    expect(parseManifests("f", text).map(({ value }) => value)).toEqual(values);
  });

  it.each<[string, string, RegExp]>([
    ["a broken mapping", "a: [1", /^f\.yaml is neither YAML nor JSON: .* at line 1, column 6/],

    ["an alias without its anchor", "a: *gone", /^f\.yaml is neither YAML nor JSON: Unresolved alias/],
    [
      "aliases of aliases that would fill the memory",
      `a: &a [x]\n${"bcdefg".replace(/./g, (name) => `${name}: &${name} [${`*${String.fromCharCode(name.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
      /^f\.yaml is neither YAML nor JSON: Excessive alias count/,
    ],
    [
      "a key that stands twice",
      "a: 1\na: 2",
      /^f\.yaml is neither YAML nor JSON: Map keys must be unique at line 2/,
    ],
  ])("refuses %s with one sentence and its place", (_, text, sentence) => {
    expect(() => parseManifests("f.yaml", text)).toThrow(sentence);
  });
});
