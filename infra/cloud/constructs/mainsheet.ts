import { join } from "node:path";
import { CfnOutput, Stack } from "aws-cdk-lib";
import { EventField, type IEventBus, RuleTargetInput } from "aws-cdk-lib/aws-events";
import { EventBus, SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { builtBundles } from "#infra/built-bundles";
import { USUAL_FLEET } from "#infra/cost";
import { checkMappings, type EventMapping, requestFor } from "#infra/event-mapping";
import { type Grant, grantsOf } from "#infra/grants";
import { outputDescription, type PartAddress } from "#infra/outputs";
import { type Part, partsOf } from "#infra/parts";
import { type FunctionSpec, TOPOLOGY, type Topology, WITH_RELAY } from "#infra/topology";
import { logDecisions, variable } from "#lambda/environment";
import { ledgerEnvironment } from "#lambda/ledger-environment";
import { policyEnvironment, policyFrom } from "#lambda/policy-environment";
import { Alarms } from "./alarms.ts";
import { ArchivedBus } from "./archived-bus.ts";
import { BusRule } from "./bus-rule.ts";
import { Dashboard } from "./dashboard.ts";
import { HubAccess } from "./hub-access.ts";
import type { MainsheetProps } from "./props.ts";
import { ScheduledRule } from "./scheduled-rule.ts";
import { StateTable } from "./state-table.ts";
import { WorkQueues } from "./work-queues.ts";
import { Worker } from "./worker.ts";

/** A function's environment holds 4 KB in all; the rest is for the parts' addresses. */
const HUBS_BYTES = 3_000;

/**
 * Mainsheet in a stack: renders the topology, every table, bus, queue, function, trigger and grant of it, and nothing
 * else.
 *
 * @example
 * new Mainsheet(this, "Mainsheet", { hubs: [{ name: "eu", kubeconfig: { secret: "eu/kubeconfig" } }] });
 */
export class Mainsheet extends Construct {
  /** The functions' roles by the functions' names: for clusters that map roles to users themselves. */
  readonly workers: Readonly<Record<string, Worker>>;

  private readonly hubs: HubAccess;
  private readonly queues: WorkQueues;
  private readonly tables: Readonly<Record<string, StateTable>>;
  private readonly buses: Readonly<Record<string, ArchivedBus>>;
  private readonly rules: Record<string, BusRule> = {};

  constructor(scope: Construct, id: string, props: MainsheetProps) {
    super(scope, id);
    const { deletionProtection = false, pointInTimeRecovery = true, archiveDays = 30 } = props;
    const { tracing = false, vpc } = props;
    if (!Number.isInteger(archiveDays) || archiveDays < 0) {
      throw new Error(`archiveDays is ${archiveDays}; allowed: whole days, 0 for no archive`);
    }
    const logRetention = retentionOf(props.logRetentionDays ?? 30);
    this.hubs = new HubAccess(this, "Hubs", props.hubs);
    const topology: Topology = this.hubs.settings.some(({ relay }) => relay) ? WITH_RELAY : TOPOLOGY;
    const settings = this.settings(props);
    const bundles = props.bundles ?? builtBundles();

    this.queues = new WorkQueues(this, "Queues", topology.queues);
    this.tables = mapValues(
      topology.tables,
      (spec, name) =>
        new StateTable(this, `Table-${name}`, { spec, deletionProtection, pointInTimeRecovery }),
    );
    this.buses = mapValues(
      topology.buses,
      (_, name) => new ArchivedBus(this, `Bus-${name}`, { archiveDays }),
    );
    this.workers = mapValues(topology.functions, (spec, name) => {
      const worker = new Worker(this, `Function-${name}`, {
        spec,
        bundle: join(bundles, name),
        environment: { ...settings, ...this.addresses(spec) },
        logRetention,
        tracing,
        vpc: spec.hub ? vpc : undefined,
      });
      for (const grant of grantsOf(spec)) this.allow(worker, name, grant);
      for (const trigger of spec.triggers) {
        if (trigger.kind === "queue") worker.worksOff(known(this.queues.byName, trigger.queue), trigger);
      }
      return worker;
    });
    for (const [name, { rateMinutes, target }] of Object.entries(topology.rules)) {
      new ScheduledRule(this, `Rule-${name}`, { rateMinutes, target: known(this.workers, target).fn });
    }
    for (const [name, { bus, pattern, to }] of Object.entries(topology.busRules)) {
      const target =
        "queue" in to
          ? new SqsQueue(known(this.queues.byName, to.queue))
          : new EventBus(this.busNamed(to.bus));
      const rule = new BusRule(this, `BusRule-${name}`, { ...this.fromBus(bus), pattern, target });
      this.rules[name] = rule;
    }
    this.map(props.events ?? []);
    this.watch(props);
    this.tell();
  }

  /** Rules of the user's own, whose events become requests to evaluate. */
  private map(mappings: readonly EventMapping[]): void {
    checkMappings(
      mappings,
      this.hubs.settings.map(({ name }) => name),
    );
    const { eventId: id, time, detailType } = EventField;
    for (const mapping of mappings) {
      const message = RuleTargetInput.fromObject(requestFor(mapping, { id, time, detailType }));
      const rule = new BusRule(this, `Mapping-${mapping.name}`, {
        ...this.fromBus(mapping.bus ?? "default"),
        pattern: mapping.pattern,
        target: new SqsQueue(known(this.queues.byName, "route"), { message }),
      });
      this.rules[`yours, ${mapping.name}`] = rule;
    }
  }

  /** Left out for the default bus, as CloudFormation has it. */
  private fromBus(name: string): { readonly bus?: IEventBus } {
    return name === "default" ? {} : { bus: this.busNamed(name) };
  }

  private busNamed(name: string): IEventBus {
    return known(this.buses, name).bus as IEventBus;
  }

  /** Where things are, for `mainsheet --stack`. */
  private tell(): void {
    const output = (part: PartAddress["part"], name: string, value: string) =>
      new CfnOutput(this, `${part}-${name}`, { value, description: outputDescription({ part, name }) });
    output("hubs", "", this.hubs.settings.map(({ name }) => name).join());
    for (const [name, { table }] of Object.entries(this.tables)) output("table", name, table.tableName);
    for (const [name, { queueUrl }] of Object.entries(this.queues.byName)) output("queue", name, queueUrl);
    for (const [name, { bus }] of Object.entries(this.buses)) output("bus", name, bus.eventBusName);
  }

  private watch({ controller = {}, alarmTopic, clusters = USUAL_FLEET.clusters }: MainsheetProps): void {
    const namespace = this.namespace;
    const hubs = this.hubs.settings.map(({ name }) => name);
    const functions = mapValues(this.workers, ({ fn }) => fn);
    const { all: alarms } = new Alarms(this, "Alarms", { namespace, hubs, functions, topic: alarmTopic });
    new Dashboard(this, "Dashboard", {
      ...{ namespace, hubs, functions, alarms, clusters },
      syncPeriodSeconds: policyFrom(policyEnvironment(controller)).syncPeriodSeconds,
      queues: this.queues.byName,
      rules: this.rules,
      table: known(this.tables, "state").table,
    });
  }

  /** Of the measures in CloudWatch; two Mainsheets of an account have two. */
  private get namespace(): string {
    const { stackName } = Stack.of(this);
    return `Mainsheet/${stackName}${this.node.id === "Mainsheet" ? "" : `/${this.node.id}`}`;
  }

  /** What every function is told. `tick` needs the hubs' names too, and nobody reads a kubeconfig without the grant. */
  private settings(props: MainsheetProps): Record<string, string> {
    const { controller = {}, logDecisions: log, ledgerDecisions, ledgerDays } = props;
    const hubs = Stack.of(this).toJsonString(this.hubs.settings);
    const bytes = JSON.stringify(Stack.of(this).resolve(hubs)).length;
    if (bytes > HUBS_BYTES) {
      throw new Error(
        `hubs: their settings take ${bytes} of the ${HUBS_BYTES} bytes that a function's environment has for them; put EKS hubs' kubeconfigs into secrets, or split the hubs over two Mainsheets`,
      );
    }
    return {
      MAINSHEET_HUBS: hubs,
      METRICS_NAMESPACE: this.namespace,
      ...policyEnvironment(controller),
      ...ledgerEnvironment(ledgerDecisions, ledgerDays),
      ...(log === undefined ? {} : { LOG_DECISIONS: logDecisions({ LOG_DECISIONS: log }) }),
    };
  }

  private addresses(spec: FunctionSpec): Record<string, string> {
    const entries = partsOf(spec).map(({ kind, of }) => {
      const address = {
        QUEUE: () => known(this.queues.byName, of).queueUrl,
        TABLE: () => known(this.tables, of).table.tableName,
        BUS: () => known(this.buses, of).bus.eventBusName,
      };
      return [variable(kind, of), address[kind]()];
    });
    return Object.fromEntries(entries);
  }

  private allow(worker: Worker, functionName: string, { actions, on }: Grant): void {
    if (on.kind === "HUB_SECRETS") this.hubs.open(worker.role, functionName, actions);
    else if (on.kind === "ACCOUNT") worker.mayAnywhere(actions, "CloudWatch's metrics have no ARNs");
    else worker.may(actions, this.arnOf(on));
  }

  private arnOf({ kind, of }: Part): string {
    const arn = {
      QUEUE: () => known(this.queues.byName, of).queueArn,
      TABLE: () => known(this.tables, of).table.tableArn,
      BUS: () => known(this.buses, of).bus.eventBusArn,
    };
    return arn[kind]();
  }
}

function retentionOf(days: number): RetentionDays {
  const offered = Object.values(RetentionDays).filter(
    (value): value is RetentionDays => typeof value === "number" && value !== RetentionDays.INFINITE,
  );
  const found = offered.find((value) => value === days);
  if (found === undefined) {
    throw new Error(`logRetentionDays is ${days}; CloudWatch Logs offers ${offered.join(", ")}`);
  }
  return found;
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
