import type { Update } from "./protocol.ts";

export interface LiveStream {
  /** Streams the fleet and this object's course, from where the stream before was. */
  follow(key: string | undefined): void;
}

export interface LiveStreamOptions {
  readonly onUpdate: (update: Update) => void;
  readonly onState: (state: "live" | "lost") => void;
}

/** A browser asks again by itself, but not after an answer that is no stream. */
const AGAIN_MS = 2_000;
/** A key that is held down passes many objects: only where it stops is followed. */
const SETTLED_MS = 120;

export function liveStream({ onUpdate, onState }: LiveStreamOptions): LiveStream {
  let source: EventSource | undefined;
  let lastId = "";
  let again: ReturnType<typeof setTimeout> | undefined;
  let followedAt = Number.NEGATIVE_INFINITY;

  function follow(key: string | undefined): void {
    clearTimeout(again);
    source?.close();
    const query = new URLSearchParams({ since: lastId, course: "whole" });
    if (key !== undefined) query.set("object", key);
    const opened = new EventSource(`/events?${query}`);
    source = opened;
    opened.addEventListener("open", () => onState("live"));
    opened.addEventListener("message", ({ data, lastEventId }: MessageEvent<string>) => {
      if (source !== opened) return;
      lastId = lastEventId;
      onUpdate(JSON.parse(data) as Update);
    });
    opened.addEventListener("error", () => {
      if (source !== opened) return;
      onState("lost");
      if (opened.readyState === EventSource.CLOSED) again = setTimeout(() => follow(key), AGAIN_MS);
    });
  }

  return {
    follow(key) {
      const now = performance.now();
      const isHurried = now - followedAt < SETTLED_MS;
      followedAt = now;
      clearTimeout(again);
      if (isHurried) again = setTimeout(() => follow(key), SETTLED_MS);
      else follow(key);
    },
  };
}
