import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/**
 * Modules that a function loads without ever using them, or of which it uses a small part. Each costs milliseconds of
 * every cold start (`npm run bench -- --only cold-start`). The local host and its tests run the bundles that result.
 */
const REPLACEMENTS: readonly (readonly [module: RegExp, file: string])[] = [
  // The Kubernetes client's own requests are not used, nor is its generated API: hubs are asked over node:https.
  [/^undici$/, "lean-nothing.mjs"],
  [/^\.\/gen\/(index|rxjsStub)\.js$/, "lean-nothing.mjs"],
  [/^@aws-sdk\/credential-provider-node$/, "lean-credentials.mjs"],
  // The environment says everything on Lambda; here a function must not differ with its user's own settings.
  [/\/loadSharedConfigFiles$/, "lean-config-files.mjs"],
  // No operation that is used answers with a stream of events.
  [/^@smithy\/core\/event-streams$/, "lean-nothing.mjs"],
  // Tells browsers apart, for the User-Agent of SDKs that run in one.
  [/^bowser$/, "lean-nothing.mjs"],
  // A kubeconfig with a SOCKS proxy is refused.
  [/^socks(-proxy-agent)?$/, "lean-nothing.mjs"],
  [/^jsonpath-plus$/, "lean-jsonpath.mjs"],
  // For streamed responses, which no function has.
  [/^node:stream\/web$/, "lean-nothing.mjs"],
  [/^node:process$/, "lean-process.mjs"],
  [/^node:child_process$/, "lean-child-process.mjs"],
];

/** An esbuild plugin that replaces these. */
export const leanModules: Plugin = {
  name: "lean-modules",
  setup(build) {
    for (const [filter, file] of REPLACEMENTS) {
      const path = fileURLToPath(new URL(file, import.meta.url));
      build.onResolve({ filter }, () => ({ path }));
    }
  },
};
