import * as z from "zod/mini";

/** The settings of a function, read once at its start. A fault is one sentence, and the function does not start. */

const hubSettings = z.object({
  /** Name of the hub in keys, logs and events. */
  name: z.string().check(z.regex(/^[a-z0-9-]+$/)),
  /** Where its kubeconfig is: a file of this machine, or the ARN or name of a Secrets Manager secret. */
  kubeconfig: z.union([z.object({ path: z.string() }), z.object({ secret: z.string() })]),
  context: z.optional(z.string()),
  /** `observe` decides and records but writes nothing to the hub. */
  mode: z.enum(["observe", "active"]),
  /** Namespaces that are active on a hub that is not. */
  activeNamespaces: z.optional(z.array(z.string())),
});
export type HubSettings = z.infer<typeof hubSettings>;

/** MAINSHEET_HUBS: a JSON list of the hubs to work for. */
export function hubs(env: NodeJS.ProcessEnv): readonly HubSettings[] {
  const text = required(env, "MAINSHEET_HUBS");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`MAINSHEET_HUBS is not JSON: ${text.slice(0, 80)}`);
  }
  const result = z.safeParse(z.array(hubSettings).check(z.minLength(1)), json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`MAINSHEET_HUBS: ${issue?.path.join(".") || "the list"}: ${issue?.message}`);
}

/** The value of a variable that the topology promises. */
export function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new Error(`the environment variable ${name} is not set; the stack and the local host both set it`);
}

/** `--horizontal-pod-autoscaler-sync-period`, seconds; SYNC_PERIOD_SECONDS, default 15. */
export function syncPeriodSeconds(env: NodeJS.ProcessEnv): number {
  const text = env.SYNC_PERIOD_SECONDS ?? "15";
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 5 && seconds <= 60 && 60 % seconds === 0) return seconds;
  throw new Error(`SYNC_PERIOD_SECONDS is ${text}; allowed are the divisors of 60 from 5 to 60`);
}

/** The URLs of these queues by their name in the topology, from QUEUE_<NAME>. */
export function queueUrls(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => [name, required(env, `QUEUE_${name.toUpperCase().replaceAll("-", "_")}`)]),
  );
}

/** LOG_DECISIONS: `all` decisions, or only `changes` (default). */
export function logDecisions(env: NodeJS.ProcessEnv): "all" | "changes" {
  const value = env.LOG_DECISIONS ?? "changes";
  if (value === "all" || value === "changes") return value;
  throw new Error(`LOG_DECISIONS is ${value}; allowed are all and changes`);
}
