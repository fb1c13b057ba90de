/** The outcome of reading a text: its value, or what is wrong with it. Nothing in the domain throws for input. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ParseFault };

/** `code` is one of the reader's own list, `detail` one sentence that names the text and what is allowed instead. */
export interface ParseFault {
  readonly code: string;
  readonly detail: string;
}
