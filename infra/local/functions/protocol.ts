/** What the host, the functions' process and its workers say to each other. Everything is JSON. */

export interface FunctionConfig {
  /** The bundle, an ESM file that exports `handler`. */
  readonly bundle: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** All of its `process.env`: nothing of this machine's environment reaches a function. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Invocation {
  readonly requestId: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly event: unknown;
  /** The virtual instant that `Date` answers meanwhile; absent: the wall's. */
  readonly atMs?: number;
}

/** As Lambda reports it. */
export interface FailureReport {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: FailureReport };

export type HostMessage =
  | { readonly kind: "functions"; readonly functions: Readonly<Record<string, FunctionConfig>> }
  | ({ readonly kind: "invoke" } & Invocation);

export type ProcessMessage =
  | { readonly kind: "outcome"; readonly requestId: string; readonly outcome: Outcome }
  | {
      readonly kind: "log";
      readonly functionName: string;
      readonly requestId: string;
      readonly line: string;
    };

export interface WorkerStart {
  readonly bundle: string;
  readonly memoryMb: number;
  /** The instant of the invocation that needed it. */
  readonly atMs?: number;
}

export type WorkerTask = Invocation & { readonly timeoutMs: number };

export type WorkerMessage =
  /** The bundle is loaded. */
  | { readonly kind: "ready" }
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "log"; readonly line: string };
