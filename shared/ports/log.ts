/**
 * Structured logs. Who reads a level: `info` people who follow what happened, `warn` operators, who are told the
 * consequence, `error` operators too, who are told what failed, why and what to do.
 */
export interface Log {
  info(message: string, fields: Record<string, unknown>): void;
  warn(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}
