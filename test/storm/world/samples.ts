import type { KubeObject } from "#ports/kubernetes";
import type { SamplesFault } from "#test/storm/fault";

/** Amounts that no container can use. */
const ABSURD = ["-250m", "NaN", "", "1e400", "99999999999999999999", "9E", "0x10", "1Gi m"];

/** What a metrics API says instead of the truth, where it does not say the truth. */
export function distorted(
  items: readonly KubeObject[],
  does: SamplesFault["does"] | undefined,
): readonly KubeObject[] {
  switch (does) {
    case undefined:
      return items;
    case "drop":
      return items.filter((_, i) => i % 2 === 0);
    case "absurd":
      return items.map((item, i) => (i % 3 === 1 ? item : withUsage(item, ABSURD[i % ABSURD.length] ?? "")));
    case "ghosts":
      return [...items, ...items.map(ghost)];
  }
}

function withUsage(item: KubeObject, cpu: string): KubeObject {
  const containers = (item.containers ?? []) as { readonly usage?: object }[];
  return { ...item, containers: containers.map((one) => ({ ...one, usage: { ...one.usage, cpu } })) };
}

/** A pod that is no more, and was busy. */
function ghost(item: KubeObject): KubeObject {
  const { name = "" } = item.metadata;
  return { ...withUsage(item, "9"), metadata: { ...item.metadata, name: `${name}-gone` } };
}
