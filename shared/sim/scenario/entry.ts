import type { KubeObject } from "#sim/api/object";
import type { Fault } from "#sim/hub/faults";

/** One thing that happens in a scenario. */
export type Action =
  | { readonly do: "fault"; readonly cluster: string; readonly fault: Fault }
  | { readonly do: "scale"; readonly target: ActionTarget; readonly replicas: number }
  | { readonly do: "apply"; readonly manifest: KubeObject }
  | { readonly do: "delete"; readonly target: ActionTarget };

/** An object of the hub. */
export interface ActionTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** An action and when it happens, in seconds from the scenario's start. */
export type Entry = Action & { readonly afterSeconds: number };
