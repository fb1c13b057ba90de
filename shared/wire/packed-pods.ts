import type { Pod, PodSample } from "#domain/fleet/pod";
import type { Member, Read, Snapshot } from "#domain/fleet/snapshot";
import { encodeJson } from "./json.ts";

/**
 * A snapshot whose pods are grouped: what many pods have in common stands once, and what differs between them in
 * columns, in the order of the pods. Nothing is lost: `unpackPods(packPods(snapshot))` equals the snapshot.
 */
export interface PackedSnapshot extends Omit<Snapshot, "members"> {
  readonly members: readonly PackedMember[];
}

interface PackedMember extends Omit<Member, "pods" | "samples"> {
  readonly pods: Read<PackedPods>;
  readonly samples: readonly Read<PackedSamples>[];
}

interface PackedPods {
  readonly names: readonly string[];
  readonly groups: readonly PodGroup[];
  /** Each pod's group, by index. */
  readonly group: Column<number>;
  readonly startedAtMs: Column<number | null>;
  readonly readySinceMs: Column<number | null>;
}

interface PodGroup extends Omit<Pod, "name" | "startedAtMs" | "ready"> {
  readonly readyStatus?: string;
}

interface PackedSamples {
  /** Each sample's pod, by index, or by name where there is no such pod; absent where each pod has one, in order. */
  readonly pods?: readonly (number | string)[];
  readonly milliValue: Column<PodSample["milliValue"]>;
  readonly timestampMs: Column<number>;
  readonly windowSeconds: Column<number>;
}

/** A value for each row; one that they all share stands once. */
type Column<T> = readonly T[] | { readonly all: T };

export function packPods(snapshot: Snapshot): PackedSnapshot {
  const members = snapshot.members.map((member): PackedMember => {
    const names = member.pods.ok ? member.pods.value.map(({ name }) => name) : [];
    return {
      ...member,
      pods: mapRead(member.pods, packList),
      samples: member.samples.map((read) => mapRead(read, (samples) => packSamples(samples, names))),
    };
  });
  return { ...snapshot, members };
}

export function unpackPods(packed: PackedSnapshot): Snapshot {
  const members = packed.members.map((member): Member => {
    const pods = mapRead(member.pods, unpackList);
    const names = member.pods.ok ? member.pods.value.names : [];
    const samples = member.samples.map((read) => mapRead(read, (columns) => unpackSamples(columns, names)));
    return { ...member, pods, samples };
  });
  return { ...packed, members };
}

function mapRead<T, U>(read: Read<T>, change: (value: T) => U): Read<U> {
  return read.ok ? { ok: true, value: change(read.value) } : read;
}

function packList(pods: readonly Pod[]): PackedPods {
  const groups: PodGroup[] = [];
  const indexes = new Map<string, number>();
  const group = pods.map((pod, index) => {
    const { name: _name, startedAtMs: _started, ready, ...shared } = pod;
    const found: PodGroup = { ...shared, ...(ready === undefined ? {} : { readyStatus: ready.status }) };
    const text = encodeJson(found);
    // A pod that has no JSON is no other's like.
    const key = text.ok ? text.value : `#${index}`;
    const known = indexes.get(key) ?? groups.push(found) - 1;
    indexes.set(key, known);
    return known;
  });
  return {
    names: pods.map(({ name }) => name),
    groups,
    group: column(group),
    startedAtMs: column(pods.map(({ startedAtMs }) => startedAtMs ?? null)),
    readySinceMs: column(pods.map(({ ready }) => ready?.sinceMs ?? null)),
  };
}

function unpackList({ names, groups, group, startedAtMs, readySinceMs }: PackedPods): readonly Pod[] {
  return names.map((name, row): Pod => {
    const { readyStatus, ...shared } = groups[cell(group, row)] as PodGroup;
    const started = cell(startedAtMs, row);
    const since = cell(readySinceMs, row);
    return {
      name,
      ...shared,
      ...(started === null ? {} : { startedAtMs: started }),
      ...(readyStatus === undefined || since === null
        ? {}
        : { ready: { status: readyStatus, sinceMs: since } }),
    };
  });
}

function packSamples(samples: readonly PodSample[], names: readonly string[]): PackedSamples {
  const aligned = samples.length === names.length && samples.every(({ pod }, row) => pod === names[row]);
  const indexes = aligned ? new Map<string, number>() : new Map(names.map((name, index) => [name, index]));
  return {
    ...(aligned ? {} : { pods: samples.map(({ pod }) => indexes.get(pod) ?? pod) }),
    milliValue: column(samples.map(({ milliValue }) => milliValue)),
    timestampMs: column(samples.map(({ timestampMs }) => timestampMs)),
    windowSeconds: column(samples.map(({ windowSeconds }) => windowSeconds)),
  };
}

function unpackSamples(packed: PackedSamples, names: readonly string[]): readonly PodSample[] {
  const pods = packed.pods?.map((pod) => (typeof pod === "number" ? (names[pod] as string) : pod)) ?? names;
  return pods.map((pod, row) => ({
    pod,
    milliValue: cell(packed.milliValue, row),
    timestampMs: cell(packed.timestampMs, row),
    windowSeconds: cell(packed.windowSeconds, row),
  }));
}

function column<T>(values: readonly T[]): Column<T> {
  const [first] = values;
  return values.length > 1 && values.every((value) => value === first) ? { all: first as T } : values;
}

function cell<T>(values: Column<T>, row: number): T {
  return "all" in values ? values.all : (values[row] as T);
}
