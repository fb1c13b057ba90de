import type { BusPort } from "#ports/bus";
import type { Clock, Ids } from "#ports/clock";
import type { Compression } from "#ports/compression";
import type { KubernetesPort } from "#ports/kubernetes";
import type { TablePort } from "#ports/table";
import type { Stop, Timers } from "#ports/timers";
import type { Source } from "./sources.ts";

/** What a relay needs of the world, for one hub. */
export interface RelayDeps {
  readonly hub: string;
  /** Names this relay in the lease; anything that tells it from others. */
  readonly holder: string;
  readonly sources: readonly Source[];
  /** The hub; no request goes on when the signal aborts. */
  readonly connect: (signal: AbortSignal) => KubernetesPort;
  readonly table: TablePort;
  readonly bus: BusPort;
  readonly compression: Compression;
  readonly ids: Ids;
  readonly timers: Timers;
  /** What events are dated by, and what has expired in the table; may be another time than that of `timers`. */
  readonly clock: Clock;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly newStop: () => Stop;
  /**
   * Awaited when something has come, before all that is there by then is worked off together; absent: at once. May resolve
   * at any time, and must once the signal aborts.
   */
  readonly gather?: (signal: AbortSignal) => Promise<void>;
  /** Told of all that happens, at once. */
  readonly tell: (event: RelayEvent) => void;
  /** A watch is opened anew after so long, so that a connection that hangs is noticed soon. Default 30. */
  readonly watchSeconds?: number;
}

export type RelayEvent =
  | { readonly kind: "holding"; readonly fence: number; readonly resumed: boolean }
  | { readonly kind: "standing-by"; readonly holder: string }
  | { readonly kind: "lost"; readonly fence: number }
  | {
      readonly kind: "listed";
      readonly source: string;
      readonly objects: number;
      readonly resourceVersion: string;
    }
  | { readonly kind: "watching"; readonly source: string; readonly from: string }
  /** Something came in: an object's event, or a bookmark. */
  | { readonly kind: "seen"; readonly source: string; readonly resourceVersion: string }
  | { readonly kind: "published"; readonly events: number; readonly tookMs: number }
  /** Everything of the source up to this version has been worked off. */
  | { readonly kind: "handled"; readonly source: string; readonly resourceVersion: string }
  | { readonly kind: "checkpoint" }
  /** What failed and is tried again after so long. */
  | { readonly kind: "fault"; readonly where: string; readonly message: string; readonly againMs: number };
