import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/**
 * Modules that a function loads without ever using them, or of which it uses a small part. Each costs milliseconds of
 * every cold start (`npm run bench -- --only cold-start`). The local host and its tests run the bundles that result.
 */
const REPLACEMENTS: readonly (readonly [module: RegExp, file: string])[] = [
  // The Kubernetes client's own requests are not used: hubs are asked over node:https.
  [/^undici$/, "lean-nothing.mjs"],
  [/^@aws-sdk\/credential-provider-node$/, "lean-credentials.mjs"],
  // Tells browsers apart, for the User-Agent of SDKs that run in one.
  [/^bowser$/, "lean-nothing.mjs"],
  // A kubeconfig with a SOCKS proxy is refused.
  [/^socks(-proxy-agent)?$/, "lean-nothing.mjs"],
];

/** The packages whose modules do nothing when they are loaded, though they do not say so: what is not used is left out. */
const WITHOUT_SIDE_EFFECTS = /[\\/]node_modules[\\/]@kubernetes[\\/]client-node[\\/]/;

/** An esbuild plugin that replaces these and shakes those. */
export const leanModules: Plugin = {
  name: "lean-modules",
  setup(build) {
    for (const [filter, file] of REPLACEMENTS) {
      const path = fileURLToPath(new URL(file, import.meta.url));
      build.onResolve({ filter }, () => ({ path }));
    }
    build.onResolve({ filter: /^(\.{1,2}\/|@kubernetes\/client-node)/ }, async (args) => {
      const { path, kind, importer, resolveDir, pluginData } = args;
      const concerns = WITHOUT_SIDE_EFFECTS.test(importer) || path.startsWith("@kubernetes/");
      if (pluginData === ASKED || !concerns) return undefined;
      const resolved = await build.resolve(path, { kind, importer, resolveDir, pluginData: ASKED });
      return { ...resolved, sideEffects: false };
    });
  },
};

/** Marks a path that is being resolved by this plugin itself. */
const ASKED = Symbol("asked");
