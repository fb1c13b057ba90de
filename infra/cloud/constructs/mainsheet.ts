import { join } from "node:path";
import { EventBus } from "aws-cdk-lib/aws-events";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type FunctionSpec, TOPOLOGY, type Topology } from "#infra/topology";
import type { HubSettings } from "#lambda/environment";
import { HubSecrets } from "./hub-secrets.ts";
import { ScheduledRule } from "./scheduled-rule.ts";
import { StateTable } from "./state-table.ts";
import { WorkQueues } from "./work-queues.ts";
import { Worker } from "./worker.ts";

export interface MainsheetProps {
  /** The hubs to work for; each names the Secrets Manager secret that holds its kubeconfig. */
  readonly hubs: readonly HubSettings[];
  /** The folder with one bundle per function, as `bundleFunctions` writes it. */
  readonly bundles: string;
}

/** Renders the topology: every table, bus, queue, function, trigger and grant of it, and nothing else. */
export class Mainsheet extends Construct {
  constructor(scope: Construct, id: string, props: MainsheetProps) {
    super(scope, id);
    const topology: Topology = TOPOLOGY;
    const secrets = new HubSecrets(this, "Hubs", props.hubs);
    const queues = new WorkQueues(this, "Queues", topology.queues);
    const tables = mapValues(topology.tables, (spec, name) => new StateTable(this, `Table-${name}`, spec));
    const buses = mapValues(topology.buses, (_, name) => new EventBus(this, `Bus-${name}`));
    const workers = mapValues(topology.functions, (spec, name) => {
      const worker = new Worker(this, `Function-${name}`, { spec, bundle: join(props.bundles, name) });
      connect(worker, spec);
      return worker;
    });
    for (const [name, { rateMinutes, target }] of Object.entries(topology.rules)) {
      new ScheduledRule(this, `Rule-${name}`, { rateMinutes, target: known(workers, target).fn });
    }

    function connect(worker: Worker, spec: FunctionSpec): void {
      // Names only: `tick` needs them too, and nobody reads a kubeconfig without the grant.
      worker.setEnvironment("MAINSHEET_HUBS", JSON.stringify(props.hubs));
      if (spec.hub) secrets.grantRead(worker.role);
      for (const name of spec.sends) worker.sendsTo(name, queue(name));
      if (spec.table !== "none") worker.keepsStateIn("state", known(tables, "state"), spec.table);
      if (spec.bus !== undefined) worker.publishesOn(spec.bus, known(buses, spec.bus));
      for (const trigger of spec.triggers) {
        if (trigger.kind === "queue") worker.worksOff(queue(trigger.queue), trigger);
      }
    }

    function queue(name: string): IQueue {
      return known(queues.byName, name);
    }
  }
}

function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  map: (value: A, name: string) => B,
): Readonly<Record<string, B>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

function known<T>(record: Readonly<Record<string, T>>, name: string): T {
  const value = record[name];
  if (value === undefined) throw new Error(`the topology names ${name}, which it does not define`);
  return value;
}
