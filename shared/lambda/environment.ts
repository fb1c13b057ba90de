import { checkedHubs, type HubSettings } from "./hub-settings.ts";

/** The settings of a function, read once at its start. A fault is one sentence, and the function does not start. */

/** MAINSHEET_HUBS: a JSON list of the hubs to work for. */
export function hubs(env: NodeJS.ProcessEnv): readonly HubSettings[] {
  const text = required(env, "MAINSHEET_HUBS");
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new Error(`MAINSHEET_HUBS is not JSON: ${text.slice(0, 80)}`);
  }
  return checkedHubs(list, "MAINSHEET_HUBS");
}

/** The value of a variable that the topology promises. */
export function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new Error(`the environment variable ${name} is not set; the stack and the local host both set it`);
}

/** The URLs of these queues by their name in the topology, from QUEUE_<NAME>. */
export function queueUrls(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, required(env, variable("QUEUE", name))]));
}

/** The variable in which a function finds one of its parts: `QUEUE_RECONCILE_DEAD` for `reconcile-dead`. */
export function variable(kind: "QUEUE" | "TABLE" | "BUS", name: string): string {
  return `${kind}_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** LOG_DECISIONS: `all` decisions, or only `changes` (default). */
export function logDecisions(env: NodeJS.ProcessEnv): "all" | "changes" {
  const value = env.LOG_DECISIONS ?? "changes";
  if (value === "all" || value === "changes") return value;
  throw new Error(`LOG_DECISIONS is ${value}; allowed are all and changes`);
}
