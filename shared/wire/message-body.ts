import * as z from "zod/mini";

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string };

/** The message in a body of JSON, or one sentence about its first fault. */
export function parseBody<T>(schema: z.ZodMiniType<T>, body: string): Parsed<T> {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { ok: false, fault: `not JSON: ${body.slice(0, 80)}` };
  }
  return parseJson(schema, json);
}

/** The same for what is JSON already; `within` is said before the field's path. */
export function parseJson<T>(schema: z.ZodMiniType<T>, json: unknown, within?: string): Parsed<T> {
  const result = z.safeParse(schema, json);
  if (result.success) return { ok: true, value: result.data };
  const [issue] = result.error.issues;
  const path = [...(within === undefined ? [] : [within]), ...(issue?.path ?? [])].join(".") || "message";
  return { ok: false, fault: `${path}: ${issue?.message ?? "unreadable"}` };
}
