/** One line on a terminal that says how far a run is; nothing where nobody watches. */
export interface Progress {
  show(done: number, failed: number): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
}

const NOTHING: Progress = { show() {}, clear() {} };
const CLEAR_LINE = "\r\u001b[K";

export function openProgress(total: number, out: NodeJS.WriteStream, nowMs: () => number): Progress {
  if (!out.isTTY) return NOTHING;
  const startMs = nowMs();
  return {
    show(done, failed) {
      const seconds = (nowMs() - startMs) / 1000;
      const left = Math.round((seconds / done) * (total - done));
      const failures = failed === 0 ? "" : `, ${failed} failed`;
      out.write(`${CLEAR_LINE}${done} of ${total} storms${failures}, about ${left} s left`);
    },
    clear: () => out.write(CLEAR_LINE),
  };
}
