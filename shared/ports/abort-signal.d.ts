/**
 * What the pure rooms may use of the platform's AbortSignal, because they compile without any platform's types. Where
 * Node's are in reach the two merge into one.
 */
interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
