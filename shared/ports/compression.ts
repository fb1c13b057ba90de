/** Makes large texts small enough for a table item. Throws only `PortFault`. */
export interface Compression {
  /** The text, smaller, as base64. */
  compress(text: string): Promise<string>;

  /** The text again; `invalid` for what `compress` did not make, or what would grow beyond 64 MiB. */
  decompress(packed: string): Promise<string>;
}
