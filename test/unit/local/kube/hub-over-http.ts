import { type KubeServerOptions, serveKubernetes } from "#infra/local/kube/server";
import type { Timers } from "#infra/local/kube/watch";
import type { ApiServer } from "#sim/api/api-server";
import { seededIds } from "#sim/api/ids";
import { NAMESPACES } from "#sim/api/kinds/core";
import type { KubeObject } from "#sim/api/object";
import { hubCatalogue, memberCatalogue } from "#sim/api/resources";
import { createApiServer } from "#sim/api/server";
import { Store } from "#sim/api/store";

export const T0 = Date.parse("2026-03-02T09:00:00Z");

/** A clock that moves when the test says so. */
export class ManualTimers implements Timers {
  #nowMs = T0;
  #timers: { readonly atMs: number; readonly run: () => unknown }[] = [];

  /** How many timers are set. */
  get waiting(): number {
    return this.#timers.length;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  at(atMs: number, run: () => unknown): { cancel(): void } {
    const timer = { atMs, run };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  advance(seconds: number): void {
    this.#nowMs += seconds * 1000;
    for (;;) {
      const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) return;
      this.#timers = this.#timers.filter((other) => other !== due);
      due.run();
    }
  }
}

export interface Answer {
  readonly code: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it is about
  readonly json: any;
}

/** A hub with member1 on a loopback port, and a client for it. */
export async function hubOverHttp(options: Partial<KubeServerOptions> = {}) {
  const timers = new ManualTimers();
  const ids = seededIds("http");
  const hub = createApiServer({ name: "hub", store: new Store(), catalogue: hubCatalogue(), ids });
  const member1 = createApiServer({ name: "member1", store: new Store(), catalogue: memberCatalogue(), ids });
  for (const api of [hub, member1]) {
    api.create(NAMESPACES, { metadata: { name: "default" } } as KubeObject, { nowMs: T0 });
  }
  const members = new Map<string, ApiServer>([["member1", member1]]);
  const server = await serveKubernetes({
    fleet: { hub, members, access: () => ({ delayMs: 0 }) },
    clock: timers,
    ...options,
  });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const contentType = { "content-type": "application/json", ...headers };
    const init = { method, headers: contentType, ...(text === undefined ? {} : { body: text }) };
    const response = await fetch(server.url + path, init);
    const answer = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { code: response.status, headers: response.headers, json: isJson ? JSON.parse(answer) : answer };
  }

  /** Opens a watch and gives its events one by one; `next` is undefined when the stream has ended. */
  async function watch(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(server.url + path, { headers });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let buffered = "";
    return {
      code: response.status,
      async next() {
        while (!buffered.includes("\n")) {
          const chunk = await reader?.read();
          if (chunk === undefined || chunk.done) return undefined;
          buffered += chunk.value;
        }
        const end = buffered.indexOf("\n");
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 1);
        // biome-ignore lint/suspicious/noExplicitAny: as above
        return JSON.parse(line) as { type: string; object: any };
      },
      cancel: () => reader?.cancel(),
    };
  }

  return { hub, member1, timers, server, call, watch };
}
