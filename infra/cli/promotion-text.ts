import jsonPatch from "fast-json-patch";
import type { KubeObject } from "#ports/kubernetes";
import { paint } from "./terminal.ts";

/** Field by field, what is there before and after: `~ spec.maxReplicas: 10 → 20`. */
export function promotionLines(before: KubeObject, after: KubeObject): readonly string[] {
  const [old, next] = [before, after].map(visible);
  const lines = jsonPatch.compare(old as object, next as object).flatMap((change) => {
    const field = fieldOf(change.path);
    const former = JSON.stringify(jsonPatch.getValueByPointer(old, change.path));
    if (change.op === "add") return [paint("green", `+ ${field}: ${JSON.stringify(change.value)}`)];
    if (change.op === "remove") return [paint("red", `- ${field}: ${former}`)];
    if (change.op === "replace")
      return [paint("yellow", `~ ${field}: ${former} → ${JSON.stringify(change.value)}`)];
    return [];
  });
  return lines.length === 0 ? ["nothing changes"] : lines.sort(byField);
}

/** What people write. */
function visible({ metadata: { annotations = {} }, spec }: KubeObject): object {
  return { metadata: { annotations }, spec };
}

/** `/metadata/annotations/mainsheet.io~1shadow` → `metadata.annotations.mainsheet.io/shadow` */
function fieldOf(pointer: string): string {
  const parts = pointer.slice(1).split("/");
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}

function byField(a: string, b: string): number {
  const [one, other] = [a, b].map((line) => line.replace(/^.*?[-+~] /, ""));
  return (one ?? "") < (other ?? "") ? -1 : 1;
}
