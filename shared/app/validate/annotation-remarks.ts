import { cronDeadline } from "#domain/cron/deadline";
import { ANNOTATIONS } from "#domain/spec/annotations";
import { eventSettings } from "#domain/work/event-settings";
import { type Remark, warning } from "./finding.ts";

const PREFIX = "mainsheet.io/";
const MODE = "mainsheet.io/mode";

/** Annotations of ours that nobody reads on an object of this kind, and values that are taken for others. */
export function annotationRemarks(
  kind: keyof typeof ANNOTATIONS,
  annotations: Readonly<Record<string, string>>,
): Remark[] {
  const known: readonly string[] = ANNOTATIONS[kind];
  const unknown = Object.keys(annotations).filter((name) => name.startsWith(PREFIX) && !known.includes(name));
  const names = known.map((name) => name.slice(PREFIX.length)).join(", ");
  const mode = annotations[MODE];
  const deadline = kind === "CronFederatedHPA" ? cronDeadline(annotations).fault : undefined;
  const passedOver = kind === "FederatedHPA" ? eventSettings(annotations).faults : [];
  return [
    ...unknown.map((name) =>
      warning(
        "annotation-unknown",
        `metadata.annotations[${name}]`,
        `nothing reads it on a ${kind}; known are ${names}`,
      ),
    ),
    ...(mode === undefined || mode === "observe" || mode === "active"
      ? []
      : [
          warning(
            "annotation-value",
            `metadata.annotations[${MODE}]`,
            `"${mode}" is taken as observe; write observe or active`,
          ),
        ]),
    ...(deadline === undefined ? passedOver : [deadline]).map(({ path, detail }) =>
      warning("annotation-value", path, detail),
    ),
  ];
}
