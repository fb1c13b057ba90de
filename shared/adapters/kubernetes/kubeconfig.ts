import { readFile } from "node:fs/promises";
import type { RequestOptions } from "node:https";
import { dirname, resolve } from "node:path";
// The subpath without the generated API classes: the smallest that holds KubeConfig (serverless 1.3).
import { KubeConfig } from "@kubernetes/client-node/dist/config.js";
import { newClusters, newContexts, newUsers } from "@kubernetes/client-node/dist/config_types.js";
// The parser that KubeConfig itself uses, so it adds nothing to a bundle.
import { load } from "js-yaml";
import { isPortFault, PortFault } from "#ports/fault";
import { isObject } from "./answer.ts";

/** A file's path, the text itself (it has a line break or begins with `{`), or a reader such as a secret store's. */
export type KubeconfigSource = string | (() => Promise<string>);

/** Where one server is and how it is asked, as the kubeconfig and its credential plugins say now. */
export interface Access {
  readonly server: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Tls;
  readonly proxyUrl: string | undefined;
  /** After this time the source is read again. */
  readonly freshMs: number;
}

export type Tls = Pick<
  RequestOptions,
  "ca" | "cert" | "key" | "pfx" | "passphrase" | "rejectUnauthorized" | "servername"
>;

/** Files are cheap and rotate (projected tokens). */
const FILES_FRESH_MS = 60_000;
/** Cloud tokens live 15 minutes: read again well before a minute is left (B103). */
const TOKENS_FRESH_MS = 600_000;

/**
 * Reads the source and runs its credential plugin. Throws `invalid` when there is no such file, context, cluster or
 * user, and `denied` when the plugin fails.
 */
export async function readAccess(source: KubeconfigSource, context?: string): Promise<Access> {
  const inline = typeof source === "string" && /^\s*\{|\n/.test(source);
  const origin = typeof source === "function" ? "kubeconfig" : inline ? "kubeconfig" : `kubeconfig ${source}`;
  const text =
    typeof source === "function" ? await secretText(source) : inline ? source : await fileText(source);
  const directory = typeof source === "string" && !inline ? dirname(resolve(source)) : undefined;
  const config = pick(parse(text, directory, origin), context, origin);

  const options: RequestOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (cause) {
    throw new PortFault("denied", `${origin}: its credentials cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
  const cluster = config.getCurrentCluster();
  return {
    server: cluster?.server ?? "",
    headers: headersOf(options),
    tls: tlsOf(options),
    proxyUrl: cluster?.proxyUrl,
    freshMs: typeof source === "function" || config.getCurrentUser()?.exec ? TOKENS_FRESH_MS : FILES_FRESH_MS,
  };
}

async function secretText(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (cause) {
    if (isPortFault(cause)) throw cause;
    throw new PortFault("unavailable", `kubeconfig: its secret cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new PortFault(
      "invalid",
      `kubeconfig ${path}: cannot be read (${messageOf(cause)}); give a readable file`,
      {
        cause,
      },
    );
  }
}

function parse(text: string, directory: string | undefined, origin: string): KubeConfig {
  const config = new KubeConfig();
  try {
    const document: unknown = load(text);
    if (!isObject(document)) throw new Error("it holds no mapping");
    const {
      users,
      clusters,
      contexts,
      "current-context": currentContext,
    } = withTokenFiles(document, directory);
    config.loadFromOptions({
      clusters: newClusters(clusters),
      contexts: newContexts(contexts),
      users: newUsers(users),
      currentContext,
    });
    if (directory !== undefined) config.makePathsAbsolute(directory);
  } catch (cause) {
    throw new PortFault("invalid", `${origin}: not a kubeconfig: ${messageOf(cause)}`, { cause });
  }
  return config;
}

/** KubeConfig drops `tokenFile`, the field's real name, and knows `token-file` only. */
function withTokenFiles(
  document: Record<string, unknown>,
  directory: string | undefined,
): Record<string, unknown> {
  if (!Array.isArray(document.users)) return document;
  const users = document.users.map((entry: unknown) => {
    if (!isObject(entry) || !isObject(entry.user) || typeof entry.user.tokenFile !== "string") return entry;
    const path = resolve(directory ?? ".", entry.user.tokenFile);
    return { ...entry, user: { ...entry.user, "token-file": path } };
  });
  return { ...document, users };
}

/** The one context as a kubeconfig of its own. */
function pick(config: KubeConfig, name: string | undefined, origin: string): KubeConfig {
  const contextName = name ?? config.getCurrentContext();
  const known = config.getContexts().map((context) => context.name);
  const context = config.getContexts().find((candidate) => candidate.name === contextName);
  if (context === undefined) {
    const wanted = contextName ? `no context ${contextName}` : "no current-context";
    throw new PortFault("invalid", `${origin}: ${wanted}; it has ${known.join(", ") || "none"}`);
  }
  const cluster = config.getCluster(context.cluster);
  if (cluster === null) {
    throw new PortFault(
      "invalid",
      `${origin}: context ${context.name} names cluster ${context.cluster}, which it lacks`,
    );
  }
  const user = context.user === undefined ? { name: "anonymous" } : config.getUser(context.user);
  if (user === null) {
    throw new PortFault(
      "invalid",
      `${origin}: context ${context.name} names user ${context.user}, which it lacks`,
    );
  }
  if (cluster.proxyUrl?.startsWith("socks")) {
    throw new PortFault(
      "invalid",
      `${origin}: proxy-url ${cluster.proxyUrl} is not supported; use an HTTP proxy`,
    );
  }
  const picked = new KubeConfig();
  // KubeConfig refuses plain http:// unless TLS verification is off, which http:// does not have.
  const plain = cluster.server.startsWith("http:");
  picked.loadFromClusterAndUser(plain ? { ...cluster, skipTLSVerify: true } : cluster, user);
  return picked;
}

function headersOf(options: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // A token read from a file ends in a line break, which no header may hold.
    headers[name.toLowerCase()] = String(value).trim();
  }
  if (typeof options.auth === "string" && headers.authorization === undefined) {
    headers.authorization = `Basic ${Buffer.from(options.auth).toString("base64")}`;
  }
  return headers;
}

function tlsOf({ ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }: RequestOptions): Tls {
  return Object.fromEntries(
    Object.entries({ ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
