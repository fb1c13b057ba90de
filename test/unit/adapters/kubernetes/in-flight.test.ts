import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inFlight } from "#adapters/kubernetes/in-flight";

/** Tasks that end when told, and a record of which have begun. */
function tasks(limit: number) {
  const gate = inFlight(limit);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    start: (name: string, signal?: AbortSignal) =>
      gate(() => {
        begun.push(name);
        return new Promise<string>((resolve) => {
          ends.set(name, () => resolve(name));
        });
      }, signal),
    async end(name: string) {
      await setImmediate();
      ends.get(name)?.();
      await setImmediate();
    },
  };
}

describe("a gate of two", () => {
  it("begins the waiting ones in the order they came, as places become free", async () => {
    const { begun, start, end } = tasks(2);
    for (const name of ["a", "b", "c", "d"]) void start(name);
    await setImmediate();
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    await end("a");
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  it("lets no newcomer in beside one that was handed a place", async () => {
    const { begun, start, end } = tasks(2);
    for (const name of ["a", "b", "c"]) void start(name);
    await end("a");
    void start("d");
    await setImmediate();
    expect(begun).toEqual(["a", "b", "c"]);
    await end("b");
    await end("c");
    void start("e");
    void start("f");
    await setImmediate();
    expect(begun).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("gives no place to one that has left", async () => {
    const { begun, start, end } = tasks(1);
    const leave = new AbortController();
    void start("a");
    const left = start("b", leave.signal);
    void start("c");
    leave.abort(new Error("enough"));
    await expect(left).rejects.toThrow("enough");
    await end("a");
    expect(begun).toEqual(["a", "c"]);
  });

  it("does not begin for a signal that has aborted already", async () => {
    const { begun, start } = tasks(1);
    await expect(start("a", AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
    void start("b");
    await setImmediate();
    expect(begun).toEqual(["b"]);
  });

  it("frees the place of one that failed", async () => {
    const gate = inFlight(1);
    await expect(gate(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await gate(async () => "next")).toBe("next");
  });
});
