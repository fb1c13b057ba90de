import { expect, it } from "vitest";
import { memoryKubernetes } from "#adapters/memory/kubernetes";
import { besideHub } from "#app/relay/beside-hub";
import { contractFleet } from "#test/contract/kubernetes-fleet";

const pods = { group: "", version: "v1", resource: "pods" };

it("asks a member with a port of its own there, the others and the hub as ever", async () => {
  const { fleet, clock } = contractFleet();
  const asked: string[] = [];
  const port = (name: string) =>
    memoryKubernetes(fleet, clock, {
      before: ({ verb, at }) => {
        asked.push(`${name}: ${verb} ${at === "hub" ? at : at.member}`);
      },
    });
  const both = besideHub(port("over the hub"), { member1: port("directly") });
  const stop = new AbortController();
  stop.abort();
  const query = { resourceVersion: "0", timeoutSeconds: 1, signal: stop.signal };
  for (const member of ["member1", "member2"]) {
    await both.list({ member }, pods).catch(() => {});
    for await (const event of both.watch({ member }, pods, query)) expect(event).toBeDefined();
  }
  await both.get("hub", { group: "", version: "v1", resource: "namespaces" }, { name: "default" });
  expect(asked).toEqual([
    "directly: list hub",
    "directly: watch hub",
    "over the hub: list member2",
    "over the hub: watch member2",
    "over the hub: get hub",
  ]);
});
