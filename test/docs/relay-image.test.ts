import { existsSync, readFileSync } from "node:fs";
import semver from "semver";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { relayCommand } from "#infra/cli/relay";

const FOLDER = "docs/examples/relay";
const lines = readFileSync(`${FOLDER}/Dockerfile`, "utf8").split("\n");
const instructions = (word: string) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe("docs/examples/relay", () => {
  it("the image copies what there is, and starts the command", () => {
    const copied = instructions("COPY").flatMap((line) => line.split(" ").slice(0, -1));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    const [entry = "[]"] = instructions("ENTRYPOINT");
    const [, script = "", command] = JSON.parse(entry) as string[];
    expect(existsSync(script)).toBe(true);
    expect(command).toBe(relayCommand().name());
  });

  it("on a Node that is supported", () => {
    const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
    const [, major] = /^node:(\d+)/.exec(instructions("FROM")[0] ?? "") ?? [];
    expect(semver.satisfies(`${major}.99.0`, engines.node)).toBe(true);
  });

  it("the manifest's arguments are options of the command, and it opens no port", () => {
    const documents = parseAllDocuments(readFileSync(`${FOLDER}/relay.yaml`, "utf8")).map((one) =>
      one.toJS(),
    );
    const { spec } = documents.find(({ kind }) => kind === "Deployment");
    const [container] = spec.template.spec.containers;
    const options = relayCommand().options.map(({ long }) => long);
    for (const argument of container.args as string[]) expect(options).toContain(argument.split("=")[0]);
    expect([container.ports, documents.some(({ kind }) => kind === "Service")]).toEqual([undefined, false]);
  });
});
