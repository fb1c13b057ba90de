/**
 * Structured logs. Who reads a level: `info` people who follow what happened, `warn` operators, who are told the
 * consequence, `error` operators too, who are told what failed, why and what to do.
 */
export interface Log {
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}
