/**
 * What a port says of the platform's AbortSignal, because the pure rooms compile without any platform's types. Where
 * Node's are in reach the two merge into one.
 */
interface AbortSignal {
  readonly aborted: boolean;
}
