import { scalableKind } from "#app/load/kinds";
import type { CronTarget, TargetWrite } from "#domain/cron/target";
import { PortFault } from "#ports/fault";
import { FIELD_MANAGER } from "#wire/field-manager";
import { readCount, readObject } from "#wire/kubernetes/reading";
import { FEDERATED_HPAS } from "#wire/kubernetes/resources";
import { decodeTarget } from "#wire/kubernetes/workload";
import type { CronTurn } from "./deps.ts";

const KARMADA_AUTOSCALING = "autoscaling.karmada.io/v1alpha1";

/** What a CronFederatedHPA names, as it can be read and written. */
export interface TargetAccess {
  /** As it is now. Throws `missing` when it is not there. */
  read(): Promise<CronTarget>;
  /** Sets values, with the resourceVersion of what was read as precondition. */
  write(target: CronTarget, write: TargetWrite): Promise<void>;
}

export type FoundTarget =
  | { readonly ok: true; readonly access: TargetAccess }
  /** It names what cannot be scaled, and will not by itself. */
  | { readonly ok: false; readonly message: string };

/** Finds how the target is read and written: bounds of a FederatedHPA, or the `scale` of any kind that has one. */
export async function findTarget(turn: CronTurn): Promise<FoundTarget> {
  const { apiVersion, kind } = turn.object.scaleTargetRef;
  if (apiVersion !== KARMADA_AUTOSCALING) return findScalable(turn);
  if (kind === "FederatedHPA") return { ok: true, access: boundsOf(turn) };
  const { namespace, name } = turn.object;
  const message = `CronFederatedHPA(${namespace}/${name}) do not support scale target ${apiVersion}/${kind}`;
  return { ok: false, message };
}

async function findScalable(turn: CronTurn): Promise<FoundTarget> {
  const { apiVersion, kind } = turn.object.scaleTargetRef;
  const { port, cache } = turn.hub;
  const context = { hub: turn.id.hub, port, cache, nowMs: turn.nowMs };
  const found = await scalableKind(context, "hub", apiVersion, kind);
  if (found === undefined) {
    const message = `no scalable kind ${kind} in ${apiVersion} on the hub; install its CRD or correct scaleTargetRef`;
    return { ok: false, message };
  }
  const { resource, paths } = found;
  const name = targetName(turn);
  return {
    ok: true,
    access: {
      async read() {
        const read = decodeTarget(await port.get("hub", resource, name), paths);
        if (!read.ok) throw new PortFault("invalid", read.fault.message);
        const { uid, generation, resourceVersion, replicas } = read.value;
        // Where nobody says where the kind keeps its count, only its scale can tell.
        const shown = paths === undefined ? (await port.getScale("hub", resource, name)).replicas : replicas;
        return { kind: "scale", uid, generation, resourceVersion, replicas: shown };
      },
      async write({ uid, resourceVersion }, { replicas = 0 }) {
        const scale = { ...name, uid, resourceVersion, replicas, statusReplicas: 0, selector: "" };
        await port.updateScale(resource, scale, { fieldManager: FIELD_MANAGER });
      },
    },
  };
}

function boundsOf(turn: CronTurn): TargetAccess {
  const { port } = turn.hub;
  const name = targetName(turn);
  return {
    async read() {
      // A role that only observes may list FederatedHPAs, and not get them.
      const query = { namespace: name.namespace, fieldSelector: `metadata.name=${name.name}` };
      const [found] = (await port.list("hub", FEDERATED_HPAS, query)).items;
      if (found === undefined) {
        throw new PortFault("missing", `federatedhpas.autoscaling.karmada.io "${name.name}" not found`);
      }
      const { metadata, spec } = found;
      const faults: string[] = [];
      const bounds = readObject(spec, "spec", faults);
      const minReplicas = readCount(bounds.minReplicas, "spec.minReplicas", faults);
      const maxReplicas = readCount(bounds.maxReplicas, "spec.maxReplicas", faults) ?? 0;
      const [fault] = faults;
      if (fault !== undefined) {
        throw new PortFault(
          "invalid",
          `FederatedHPA ${name.namespace}/${name.name} cannot be read: ${fault}`,
        );
      }
      const { uid = "", generation = 0, resourceVersion = "" } = metadata;
      const identity = { kind: "bounds", uid, generation, resourceVersion, maxReplicas } as const;
      return minReplicas === undefined ? identity : { ...identity, minReplicas };
    },
    async write({ resourceVersion }, { minReplicas, maxReplicas }) {
      const spec = {
        ...(minReplicas === undefined ? {} : { minReplicas }),
        ...(maxReplicas === undefined ? {} : { maxReplicas }),
      };
      const patch = { metadata: { resourceVersion }, spec };
      await port.mergePatch(FEDERATED_HPAS, name, patch, { fieldManager: FIELD_MANAGER });
    },
  };
}

function targetName({ object }: CronTurn) {
  return { namespace: object.namespace, name: object.scaleTargetRef.name };
}
