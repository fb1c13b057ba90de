/**
 * Makes `Date` answer an instant that is set from outside (decision 0001): `Date.now()`, `new Date()` and `Date()`.
 * Dates made from arguments, timers and `performance` stay what they are.
 */
export function installVirtualDate(): (atMs: number | undefined) => void {
  const RealDate = globalThis.Date;
  const wallNow = RealDate.now;
  let instant: number | undefined;
  const now = () => instant ?? wallNow();

  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  // On the real one, so that a reference taken from either is the virtual one.
  RealDate.now = now;
  return (atMs) => {
    instant = atMs;
  };
}
