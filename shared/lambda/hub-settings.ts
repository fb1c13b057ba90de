import * as z from "zod/mini";

/** The hubs to work for, as MAINSHEET_HUBS and the stack's props say them. A fault is one sentence. */

/** An object with these keys and no others. */
function record<T extends z.core.$ZodLooseShape>(shape: T) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `there is no ${issue.keys.join(", ")}; there are ${known}`
        : `give an object with ${known}`,
  });
}

const text = () => z.string("give a text").check(z.minLength(1, "give a text"));

/** `forms` are the kubeconfigs that whoever asks may give. */
const hubWith = (forms: string) =>
  record({
    /** Name of the hub in keys, logs, events and metrics. */
    name: z
      .string("give a name")
      .check(
        z.regex(
          /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
          "allowed are lower-case letters, digits and dashes, 63 at most",
        ),
      ),
    /**
     * Where its kubeconfig is: a file of this machine, or the ARN or name of a Secrets Manager secret; or the EKS cluster
     * for which tokens are made.
     */
    kubeconfig: z.union(
      [
        record({ path: text() }),
        record({ secret: text() }),
        record({
          eks: record({
            cluster: text(),
            region: text(),
            /** `https://….eks.amazonaws.com` */
            endpoint: text(),
            /** PEM in base64, as EKS gives it. */
            certificateAuthority: text(),
          }),
        }),
      ],
      `give ${forms}`,
    ),
    context: z.optional(text()),
    /** `observe` decides and records but writes nothing to the hub. */
    mode: z.enum(["observe", "active"], "allowed are observe and active"),
    /** Namespaces that are active on a hub that is not. */
    activeNamespaces: z.optional(
      z.array(
        z
          .string("give names")
          .check(z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "a namespace has no such name")),
      ),
    ),
    /** Whether the function `relay` watches it. */
    relay: z.optional(z.boolean("give true or false")),
  });
export type HubSettings = z.infer<ReturnType<typeof hubWith>>;

/** The list, checked; throws one sentence that begins with `where`. */
export function checkedHubs(
  list: unknown,
  where: string,
  forms = "{ secret }, { path } or { eks: { cluster, region, endpoint, certificateAuthority } }",
): readonly HubSettings[] {
  const hubs = z
    .array(hubWith(forms), "give a list of hubs")
    .check(z.minLength(1, "give at least one hub"))
    // Read once per environment: to compile the schema would take longer than to read it.
    .safeParse(list, { jitless: true });
  if (!hubs.success) {
    const [issue] = hubs.error.issues;
    throw new Error(`${[where, placeOf(list, issue?.path ?? [])].join("")}: ${issue?.message}`);
  }
  const names = hubs.data.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`${where}: two hubs are called ${twice}; give each its own name`);
  const idle = hubs.data.find(({ mode, activeNamespaces }) => mode === "active" && activeNamespaces?.length);
  if (idle !== undefined) {
    throw new Error(
      `${where}: hub ${idle.name}: activeNamespaces goes with mode observe; mode active means every namespace`,
    );
  }
  return hubs.data;
}

/** `, hub eu, kubeconfig.secret`; a hub without a name goes by its number. */
function placeOf(list: unknown, [index, ...path]: readonly PropertyKey[]): string {
  if (typeof index !== "number") return "";
  const name: unknown = (list as { readonly name?: unknown }[])[index]?.name;
  const of = typeof name === "string" && name !== "" ? name : index + 1;
  return `: hub ${of}${path.length === 0 ? "" : `, ${path.join(".")}`}`;
}
