import type { Member, Read } from "#domain/fleet/snapshot";
import type { FederatedHpa } from "#domain/spec/federated-hpa";
import { EVERYTHING, type Selector } from "#domain/units/selector";
import { parseSelector } from "#domain/units/selector-parse";
import { POD_METRICS } from "#wire/kubernetes/resources";
import { faultOf, type LoadContext } from "./context.ts";
import { hubSamples, type PerPodMetric } from "./hub-samples.ts";
import { narrowed } from "./narrowed.ts";
import { once } from "./once.ts";
import { readPodValues } from "./pod-values.ts";

/** The members of an object with the samples that the hub's metrics APIs have of them. */
export type HubMetrics = (object: FederatedHpa, members: readonly Member[]) => Promise<readonly Member[]>;

/**
 * Samples from the hub's own metrics APIs, where an adapter answers there for all members: one request for each API,
 * metric and selector of pods.
 */
export function openHubMetrics(context: LoadContext): HubMetrics {
  const kept = new Map<string, Promise<Read<readonly unknown[]>>>();

  function itemsOf(
    metric: PerPodMetric,
    namespace: string,
    selector: Selector,
    key: string,
  ): Promise<Read<readonly unknown[]>> {
    if (metric.type === "Pods") {
      return once(kept, `${key} ${metric.name}?${metric.selector}`, async () =>
        (await readPodValues(context, "hub", namespace, [{ metric, selector }]))(metric),
      );
    }
    return once(kept, key, async () => {
      try {
        const { items } = await context.port.list("hub", POD_METRICS, narrowed(namespace, [selector]));
        return { ok: true, value: items };
      } catch (error) {
        return { ok: false, fault: faultOf(error, "metric-unreadable") };
      }
    });
  }

  return async ({ namespace, spec }, members) => {
    const text = members.flatMap(({ scale }) => (scale.ok ? [scale.value.selector] : []))[0] ?? "";
    const parsed = parseSelector(text);
    const selector = parsed.ok ? parsed.value : EVERYTHING;
    const samples = await Promise.all(
      spec.metrics.map(async (metric) => {
        if (metric.type === "Object" || metric.type === "External") return undefined;
        const items = await itemsOf(metric, namespace, selector, `${namespace} ${text}`);
        return hubSamples(metric, items, members, context.nowMs);
      }),
    );
    return members.map((member, index) => ({
      ...member,
      samples: member.samples.map((read, metric) => {
        const ofHub = samples[metric]?.[index];
        return member.scale.ok && member.pods.ok && ofHub !== undefined ? ofHub : read;
      }),
    }));
  };
}
