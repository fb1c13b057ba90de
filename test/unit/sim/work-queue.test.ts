import { describe, expect, it } from "vitest";
import { WorkQueue } from "#sim/work-queue";

describe("work queue", () => {
  it("gives touched keys once, in their own order", () => {
    const queue = new WorkQueue();
    for (const key of ["b", "a", "b"]) queue.touch(key);
    expect(queue.hasTouched).toBe(true);
    expect(queue.take(0)).toEqual(["a", "b"]);
    expect(queue.take(0)).toEqual([]);
    expect(queue.hasTouched).toBe(false);
  });

  it("gives keys when they are due, not before", () => {
    const queue = new WorkQueue();
    queue.schedule("late", 20);
    queue.schedule("early", 10);
    queue.schedule("also early", 10);
    expect(queue.nextDueMs()).toBe(10);
    expect(queue.take(9)).toEqual([]);
    expect(queue.take(10)).toEqual(["also early", "early"]);
    expect(queue.nextDueMs()).toBe(20);
    expect(queue.take(25)).toEqual(["late"]);
    expect(queue.nextDueMs()).toBeUndefined();
  });

  it("keeps one due instant for a key, the last that was set", () => {
    const queue = new WorkQueue();
    queue.schedule("a", 10);
    queue.schedule("a", 30);
    queue.schedule("b", 20);
    expect(queue.nextDueMs()).toBe(20);
    queue.schedule("b", undefined);
    expect(queue.nextDueMs()).toBe(30);
    expect(queue.take(29)).toEqual([]);
    expect(queue.take(30)).toEqual(["a"]);
  });

  it("gives a key that is touched and due once", () => {
    const queue = new WorkQueue();
    queue.touch("a");
    queue.schedule("a", 5);
    expect(queue.take(5)).toEqual(["a"]);
  });
});
