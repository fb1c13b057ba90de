/** How far something has come, on a terminal's standard error; nowhere else. */
export interface Progress {
  done(parts: number): void;
  end(): void;
}

/** What takes less needs no line. */
const QUIET_MS = 1_000;
const EVERY_MS = 100;

export function openProgress(
  parts: number,
  stream: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
  nowMs: () => number = performance.now.bind(performance),
): Progress {
  const startMs = nowMs();
  let shownMs = startMs + QUIET_MS - EVERY_MS;
  let isShown = false;
  return {
    done(count) {
      const now = nowMs();
      if (stream.isTTY !== true || now - shownMs < EVERY_MS) return;
      shownMs = now;
      isShown = true;
      const left = Math.ceil(((now - startMs) * (parts - count)) / count / 1000);
      stream.write(`\r\u001b[Ksimulated ${Math.floor((100 * count) / parts)} %, about ${left} s left`);
    },
    end() {
      if (isShown) stream.write("\r\u001b[K");
    },
  };
}
