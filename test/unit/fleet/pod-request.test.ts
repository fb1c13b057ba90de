import { describe, expect, it } from "vitest";
import type { Pod } from "#domain/fleet/pod";
import { podRequest } from "#domain/fleet/pod-request";

const app = { name: "app", requests: { cpu: 100 } };
const sidecar = { name: "proxy", requests: { cpu: 100 } };

describe("request of a pod (D-13)", () => {
  const pod = (shape: Partial<Pod>): Pod => ({
    name: "p",
    deleted: false,
    containers: [],
    labels: {},
    ...shape,
  });
  it.each<[string, Partial<Pod>, string | undefined, number | undefined]>([
    ["docstring: app 100m + sidecar 100m = 200m", { containers: [app, sidecar] }, undefined, 200],
    ["one container", { containers: [app, sidecar] }, "proxy", 100],
    ["a container that is not there asks for 0", { containers: [app] }, "proxy", 0],
    [
      "a container without a request",
      { containers: [app, { name: "x", requests: {} }] },
      undefined,
      undefined,
    ],
    ["pod-level requests first", { containers: [app], podRequests: { cpu: 500 } }, undefined, 500],
    [
      "pod-level requests of another resource do not stand in",
      { containers: [app], podRequests: { memory: 5 } },
      undefined,
      100,
    ],
    [
      "pod-level requests say nothing of one container",
      { containers: [app], podRequests: { cpu: 500 } },
      "app",
      100,
    ],
  ])("%s", (_, shape, container, expected) => {
    expect(podRequest(pod(shape), "cpu", container)).toBe(expected);
  });
});
