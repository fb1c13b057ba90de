import type * as z from "zod/mini";
import type { Snapshot } from "#domain/fleet/snapshot";
import type { History } from "#domain/scale/history";
import type { Policy } from "#domain/scale/policy";
import { decodeJson, encodeJson } from "./json.ts";
import { savedDecision, savedHistory } from "./saved-decision-schema.ts";

/**
 * All that a decision is computed from, as a file: the same arguments decide the same again, on any machine
 * (docs/snapshot.md). Members that this version does not know are kept.
 */
export interface SavedDecision {
  readonly v: 1;
  readonly snapshot: Snapshot;
  readonly history: History;
  readonly policy: Policy;
}

/** The value, or one sentence that says what of the text is not as it should be. */
export type Loaded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string };

/** The bytes of the file, the same for the same decision. */
export function encodeSavedDecision(saved: SavedDecision): Loaded<string> {
  const text = encodeJson(saved);
  return text.ok ? { ok: true, value: `${text.value}\n` } : { ok: false, fault: text.fault.detail };
}

export function decodeSavedDecision(text: string): Loaded<SavedDecision> {
  const json = readVersioned(text);
  return json.ok ? checked<SavedDecision>(savedDecision, json.value) : json;
}

/** The history of a saved decision, or of a file that holds nothing but `{"v": 1, "history": …}`. */
export function decodeSavedHistory(text: string): Loaded<History> {
  const json = readVersioned(text);
  return json.ok ? checked<History>(savedHistory, json.value.history, "history") : json;
}

const VERSION = 1;

function readVersioned(text: string): Loaded<Readonly<Record<string, unknown>>> {
  const json = decodeJson(text);
  if (!json.ok) return { ok: false, fault: json.fault.detail };
  const { value } = json;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, fault: "it holds no JSON object; see docs/snapshot.md" };
  }
  const { v } = value as { readonly v?: unknown };
  if (v === VERSION) return { ok: true, value: value as Readonly<Record<string, unknown>> };
  return {
    ok: false,
    fault:
      v === undefined
        ? "it has no version v; see docs/snapshot.md"
        : `its version v is ${JSON.stringify(v)}, this version of Mainsheet reads ${VERSION}`,
  };
}

function checked<T>(schema: z.ZodMiniType<T>, value: unknown, root = ""): Loaded<T> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const { path, message } = innermost(result.error.issues[0]);
  return { ok: false, fault: `${[root, ...path].filter((part) => part !== "").join(".")}: ${message}` };
}

/** Of several forms that a value could have, the first is the one that was most likely meant. */
function innermost(issue: z.core.$ZodIssue | undefined): { path: PropertyKey[]; message: string } {
  if (issue === undefined) return { path: [], message: "unreadable" };
  const inner = issue.code === "invalid_union" ? issue.errors[0]?.[0] : undefined;
  if (inner === undefined) return issue;
  const { path, message } = innermost(inner);
  return { path: [...issue.path, ...path], message };
}
