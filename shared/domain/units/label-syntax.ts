const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 63;
const LONGEST_PREFIX = 253;

/** Whether `text` may be a label's key: a name of up to 63 characters, with or without a DNS subdomain and `/` before it. */
export function isLabelKey(text: string): boolean {
  const [prefix, name, ...rest] = text.includes("/") ? text.split("/") : [undefined, text];
  if (name === undefined || rest.length > 0) return false;
  if (prefix !== undefined && (prefix.length > LONGEST_PREFIX || !SUBDOMAIN.test(prefix))) return false;
  return name.length <= LONGEST_NAME && NAME.test(name);
}

/** Whether `text` may be a label's value: empty, or up to 63 characters that start and end with a letter or digit. */
export function isLabelValue(text: string): boolean {
  return text === "" || (text.length <= LONGEST_NAME && NAME.test(text));
}
