/**
 * The forms that Kubernetes allows for names, as lists of what is wrong with one (empty: nothing). Follows
 * k8s.io/apimachinery v0.36 util/validation, with its words. Lengths are bytes of UTF-8 there; every text that passes
 * the character rules is ASCII, so characters are counted here.
 */

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${QUALIFIED})?`;

const isLabel = matcher(LABEL);
const isSubdomain = matcher(SUBDOMAIN);
const isQualified = matcher(QUALIFIED);
const isLabelValue = matcher(LABEL_VALUE);

/** A DNS label: the name of a namespace or a container. */
export function labelNameFaults(name: string): string[] {
  const faults: string[] = [];
  if (name.length > 63) faults.push("must be no more than 63 characters");
  if (isLabel(name)) return faults;
  if (isSubdomain(name)) return [...faults, "must not contain dots"];
  return [
    ...faults,
    wrongForm(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      LABEL,
      ["my-name", "123-abc"],
    ),
  ];
}

/** A DNS subdomain: the name of an object. */
export function subdomainFaults(name: string): string[] {
  const faults: string[] = [];
  if (name.length > 253) faults.push("must be no more than 253 characters");
  if (isSubdomain(name)) return faults;
  return [
    ...faults,
    wrongForm(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      SUBDOMAIN,
      ["example.com"],
    ),
  ];
}

/**
 * A `generateName`: to it a suffix is added, so it may end in `-`. Upstream puts an `a` in the place of the last two
 * characters then, and not of the dash alone; kept, because the same texts have to pass.
 */
export function generateNameFaults(prefix: string): string[] {
  const masked = prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
  return subdomainFaults(masked);
}

/** `name` or `prefix/name`: the key of a label or annotation, a finalizer, a resource. */
export function qualifiedNameFaults(key: string): string[] {
  const faults: string[] = [];
  const parts = key.split("/");
  if (parts.length > 2) {
    return [
      `a qualified name ${QUALIFIED_FORM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  if (parts.length === 2) {
    const [prefix = ""] = parts;
    if (prefix === "") faults.push("prefix part must be non-empty");
    else faults.push(...subdomainFaults(prefix).map((fault) => `prefix part ${fault}`));
  }
  if (name === "") faults.push("name part must be non-empty");
  else if (name.length > 63) faults.push("name part must be no more than 63 bytes");
  if (!isQualified(name)) faults.push(`name part ${QUALIFIED_FORM}`);
  return faults;
}

export function labelValueFaults(value: string): string[] {
  const faults: string[] = [];
  if (value.length > 63) faults.push("must be no more than 63 bytes");
  if (isLabelValue(value)) return faults;
  return [
    ...faults,
    wrongForm(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      LABEL_VALUE,
      ["MyValue", "my_value", "12345"],
    ),
  ];
}

/** A name that stands as one segment of a URL's path. */
export function pathSegmentFaults(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

const QUALIFIED_FORM = wrongForm(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED,
  ["MyName", "my.name", "123-abc"],
);

function wrongForm(rule: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

function matcher(pattern: string): (text: string) => boolean {
  const whole = new RegExp(`^(?:${pattern})$`);
  return (text) => whole.test(text);
}
