declare module "dynalite" {
  import type { Server } from "node:http";

  export interface DynaliteOptions {
    /** Folder of its LevelDB; absent: in memory. */
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }

  /** A server that is not listening yet; closing it closes the store. */
  export default function dynalite(options?: DynaliteOptions): Server;
}
