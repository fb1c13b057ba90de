import { describe, expect, it } from "vitest";
import { code, type SourceFile, sourceFiles } from "./source-files.ts";

/** Design section 2: what each room may import beside itself. Imports go down only. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ["domain"],
  wire: ["domain", "ports"],
  sim: ["domain", "wire"],
  app: ["domain", "ports", "wire"],
  adapters: ["domain", "ports", "wire"],
  /** The references; the one of the Kubernetes port is the simulated fleet itself. */
  "adapters/memory": ["domain", "ports", "wire", "adapters", "sim"],
  lambda: ["domain", "ports", "wire"],
  functions: ["domain", "ports", "wire", "app", "adapters", "lambda"],
  infra: ["domain", "ports", "wire", "app", "adapters", "lambda", "sim"],
  /** The use cases over the references, in one process. */
  "infra/simulate": [
    "domain",
    "ports",
    "wire",
    "app",
    "adapters",
    "adapters/memory",
    "lambda",
    "sim",
    "infra",
  ],
  /** What runs in a browser: it knows values and their texts, nothing of who made them. */
  "infra/browser": ["domain", "infra/simulate"],
  "infra/local": [
    ...["domain", "ports", "wire", "app", "adapters", "lambda", "sim", "functions"],
    ...["infra", "infra/browser"],
  ],
  "infra/cli": [
    ...["domain", "ports", "wire", "app", "adapters", "lambda", "sim"],
    ...["infra", "infra/browser", "infra/local", "infra/simulate"],
  ],
  "infra/cloud": ["infra", "lambda", "ports", "wire"],
  test: [
    ...["domain", "ports", "wire", "app", "adapters", "lambda", "sim", "functions"],
    ...["infra", "infra/browser", "infra/local", "infra/simulate", "infra/cli", "infra/cloud"],
  ],
};

/** The packages that only some rooms may import. Rooms that are not named may import none of them. */
const PACKAGES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^@middy\//, ["lambda"]],
  [/^@aws-lambda-powertools\//, ["lambda", "functions"]],
  [/^(aws-cdk-lib|constructs|cdk-nag)(\/|$)/, ["infra/cloud", "test"]],
  [/^uplot(\/|$)/, ["infra/browser"]],
  [/^playwright-core(\/|$)/, ["test"]],
  [/^@kubernetes\/client-node(\/|$)/, ["adapters", "infra/local", "test"]],
  [/^@aws-sdk\//, ["adapters", "infra", "infra/local", "infra/cli", "test"]],
  [/^node:/, ["adapters", "lambda", "functions", "infra", "infra/local", "infra/cli", "infra/cloud", "test"]],
];

/** The pure rooms, with the packages that they may import: pure ones. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: [],
  wire: ["zod"],
  app: [],
  sim: ["fast-json-patch", "zod"],
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly specifier: string;
}

const files = sourceFiles("shared", "functions", "infra", "test");
const imports: Import[] = files.flatMap((file) =>
  specifiers(file).map((specifier) => ({ file: file.path, room: roomOf(file.path), specifier })),
);

/** Static and dynamic imports, re-exports, and imports for effect. */
function specifiers(file: SourceFile): string[] {
  const forms = /(?:^|[^.\w])(?:import|export)\s*(?:[\w*{][^"'`;]*?\sfrom\s*)?\(?\s*["']([^"']+)["']/g;
  return [...code(file).matchAll(forms)].map((match) => match[1] ?? "");
}

/** `shared/domain/units/milli.ts` → `domain`, `infra/local/clock.ts` → `infra/local`, `infra/topology.ts` → `infra`. */
function roomOf(path: string): string {
  const [top = "", second = "", ...rest] = path.split("/");
  if (top === "shared") return path.startsWith("shared/adapters/memory/") ? "adapters/memory" : second;
  return top === "infra" && rest.length > 0 ? `infra/${second}` : top;
}

/** The room behind an alias: `#domain/units/milli` → `domain`. */
function roomBehind(alias: string): string {
  const [room = "", ...rest] = alias.slice(1).split("/");
  return ["domain", "ports", "wire", "app", "adapters", "lambda", "sim"].includes(room)
    ? room
    : roomOf([room, ...rest].join("/"));
}

function say({ file, specifier }: Import): string {
  return `${file} imports ${specifier}`;
}

const aliases = imports.filter(({ specifier }) => specifier.startsWith("#"));
const relatives = imports.filter(({ specifier }) => specifier.startsWith("."));
const packages = imports.filter(({ specifier }) => !/^[#.]/.test(specifier));

describe("imports go down only (design 2)", () => {
  it("reads the import lines at all", () => {
    expect(aliases.length).toBeGreaterThan(50);
    expect(relatives.length).toBeGreaterThan(20);
    expect(packages.length).toBeGreaterThan(20);
  });

  it.each(Object.entries(BELOW))("%s", (room, below) => {
    const wrong = aliases
      .filter((entry) => entry.room === room)
      .filter(({ specifier }) => ![room, ...below].includes(roomBehind(specifier)));
    expect(wrong.map(say)).toEqual([]);
  });

  it("every room is in the table", () => {
    expect([...new Set(files.map(({ path }) => roomOf(path)))].filter((room) => !(room in BELOW))).toEqual(
      [],
    );
  });

  it("an adapter imports no other adapter", () => {
    const vendor = (path: string) => path.split("/")[2];
    const wrong = aliases
      .filter(
        ({ file, specifier }) => file.startsWith("shared/adapters/") && specifier.startsWith("#adapters/"),
      )
      .filter(({ file, specifier }) => vendor(file) !== specifier.split("/")[1]);
    expect(wrong.map(say)).toEqual([]);
  });

  it("a function imports nothing of another function's folder", () => {
    const wrong = aliases.filter(({ file, specifier }) => {
      const [, folder, inside] = specifier.split("/");
      return specifier.startsWith("#functions/") && inside !== undefined && file.startsWith("functions/")
        ? folder !== file.split("/")[1]
        : false;
    });
    expect(wrong.map(say)).toEqual([]);
  });
});

describe("forms of an import", () => {
  it("relative ones stay in their folder and name the file: ./x.ts", () => {
    const wrong = relatives.filter(({ specifier }) => !/^\.\/[\w./-]+\.(ts|mjs|json)$/.test(specifier));
    expect(wrong.map(say)).toEqual([]);
    expect(relatives.filter(({ specifier }) => specifier.includes("../")).map(say)).toEqual([]);
  });

  it("aliases name no extension", () => {
    expect(aliases.filter(({ specifier }) => specifier.endsWith(".ts")).map(say)).toEqual([]);
  });

  it("there are no barrels: nothing is exported on from another file", () => {
    const barrels = files.filter((file) =>
      /^\s*export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\b/m.test(code(file)),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });
});

describe("packages", () => {
  it.each(PACKAGES.map(([pattern, rooms]) => [pattern.source, pattern, rooms] as const))(
    "%s only where it belongs",
    (_source, pattern, rooms) => {
      const wrong = packages.filter(
        ({ specifier, room }) => pattern.test(specifier) && !rooms.includes(room),
      );
      expect(wrong.map(say)).toEqual([]);
    },
  );

  it.each(Object.entries(PURE))("%s imports pure ones only", (room, allowed) => {
    const wrong = packages
      .filter((entry) => entry.room === room)
      .filter(
        ({ specifier }) => !allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
      );
    expect(wrong.map(say)).toEqual([]);
  });

  it("zod is imported in the form that shakes (serverless 1.3)", () => {
    const wrong = packages.filter(
      ({ file, specifier }) => specifier === "zod" && !file.startsWith("test/") && !file.startsWith("infra/"),
    );
    expect(wrong.map(say)).toEqual([]);
  });
});
