/** What a command's end means to a script. */
export const EXIT = { ok: 0, refused: 1, usage: 2, environment: 3 } as const;

/** Ends a command with one sentence (what, where, what to do) on stderr. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(kind: Exclude<keyof typeof EXIT, "ok">, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "CliError";
    this.exitCode = EXIT[kind];
  }
}

/** What a caught value says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
