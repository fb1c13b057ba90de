import { afterEach, describe, expect, it } from "vitest";
import { gatewayTimeout, tooManyRequests, unavailable } from "#sim/api/failure";
import { hubOverHttp } from "./hub-over-http.ts";

type World = Awaited<ReturnType<typeof hubOverHttp>>;

const worlds: World[] = [];
afterEach(() => Promise.all(worlds.splice(0).map(({ server }) => server.close())));

async function world(options: Parameters<typeof hubOverHttp>[0] = {}): Promise<World> {
  const made = await hubOverHttp(options);
  worlds.push(made);
  return made;
}

const MAPS = "/api/v1/namespaces/default/configmaps";
const MEMBER = "/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy";
const map = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data });

describe("requests and answers", () => {
  it("creates with 201, reads, updates, patches and deletes with 200", async () => {
    const { call } = await world();
    const made = await call("POST", MAPS, map("a", { k: "1" }));
    expect([made.code, made.json.metadata.namespace]).toEqual([201, "default"]);
    expect((await call("GET", `${MAPS}/a`)).json.data).toEqual({ k: "1" });
    expect((await call("PUT", `${MAPS}/a`, map("a", { k: "2" }))).code).toBe(200);
    const patch = await call(
      "PATCH",
      `${MAPS}/a`,
      { data: { l: "3" } },
      { "content-type": "application/merge-patch+json" },
    );
    expect(patch.json.data).toEqual({ k: "2", l: "3" });
    const gone = await call("DELETE", `${MAPS}/a`);
    expect([gone.code, gone.json.status, gone.json.details]).toMatchObject([
      200,
      "Success",
      { name: "a", kind: "configmaps" },
    ]);
    expect((await call("GET", `${MAPS}/a`)).code).toBe(404);
  });

  it("applies YAML: 201 when it makes the object, 200 when it changes it", async () => {
    const { call } = await world();
    const headers = { "content-type": "application/apply-patch+yaml" };
    const yaml = (value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "${value}"\n`;
    expect((await call("PATCH", `${MAPS}/a?fieldManager=me`, yaml("1"), headers)).code).toBe(201);
    const again = await call("PATCH", `${MAPS}/a?fieldManager=me`, yaml("2"), headers);
    expect([again.code, again.json.data]).toEqual([200, { k: "2" }]);
  });

  it("takes a writer's name from fieldManager, else from its User-Agent", async () => {
    const { call } = await world();
    const named = await call("POST", `${MAPS}?fieldManager=mainsheet`, map("a"), { "user-agent": "curl/8" });
    const unnamed = await call("POST", MAPS, map("b", { k: "v" }), { "user-agent": "curl/8 (linux)" });
    const managers = [named, unnamed].map(({ json }) => json.metadata.managedFields?.[0]?.manager);
    expect(managers).toEqual(["mainsheet", "curl"]);
  });

  it("says what it dropped in a Warning header", async () => {
    const { call } = await world();
    const spec = { scaleTargetRef: { kind: "Deployment", name: "a" }, maxReplicas: 1, maxReplica: 2 };
    const path = "/apis/autoscaling.karmada.io/v1alpha1/namespaces/default/federatedhpas";
    const made = await call("POST", path, { metadata: { name: "a" }, spec });
    expect([made.code, made.headers.get("warning")]).toEqual([
      201,
      '299 - "unknown field \\"spec.maxReplica\\""',
    ]);
  });

  it("deletes a collection by its selection", async () => {
    const { call, hub } = await world();
    await call("POST", MAPS, { metadata: { name: "a", labels: { x: "1" } } });
    await call("POST", MAPS, { metadata: { name: "b" } });
    expect((await call("DELETE", `${MAPS}?labelSelector=x%3D1`)).json.status).toBe("Success");
    expect(
      hub.store.list({ group: "", resource: "configmaps" }).map(({ metadata }) => metadata.name),
    ).toEqual(["b"]);
  });

  it("holds to the preconditions and the dry run of a delete", async () => {
    const { call } = await world();
    await call("POST", MAPS, map("a"));
    expect((await call("DELETE", `${MAPS}/a`, { preconditions: { uid: "x" } })).code).toBe(409);
    expect((await call("DELETE", `${MAPS}/a?dryRun=All`)).code).toBe(200);
    expect((await call("GET", `${MAPS}/a`)).code).toBe(200);
  });

  it.each([
    ["GET", "/api/v1/nothing", undefined, {}, 404, "NotFound"],
    ["GET", "/apis/nope.io/v1", undefined, {}, 404, "NotFound"],
    ["GET", "/what", undefined, {}, 404, "NotFound"],
    ["GET", `${MAPS}/%zz`, undefined, {}, 400, "BadRequest"],
    ["GET", `${MAPS}?limit=-1`, undefined, {}, 400, "BadRequest"],
    ["GET", `${MAPS}?fieldSelector=a=b`, undefined, {}, 400, "BadRequest"],
    ["GET", MAPS, undefined, { accept: "application/vnd.kubernetes.protobuf" }, 406, "NotAcceptable"],
    ["POST", MAPS, "{", {}, 400, "BadRequest"],
    ["POST", MAPS, "[]", {}, 400, "BadRequest"],
    ["POST", MAPS, { metadata: { name: "a", namespace: "other" } }, {}, 400, "BadRequest"],
    ["POST", `${MAPS}?dryRun=Some`, map("a"), {}, 400, "BadRequest"],
    ["POST", `${MAPS}?fieldValidation=No`, map("a"), {}, 400, "BadRequest"],
    ["POST", `${MAPS}/a`, map("a"), {}, 405, "MethodNotAllowed"],
    ["PUT", `${MAPS}/a`, map("b"), {}, 400, "BadRequest"],
    ["PUT", `${MAPS}/a/scale`, map("a"), {}, 404, "NotFound"],
    ["PUT", `${MAPS}/a/status`, map("a"), {}, 404, "NotFound"],
    ["PATCH", `${MAPS}/a`, map("a"), {}, 415, "UnsupportedMediaType"],
    ["OPTIONS", MAPS, undefined, {}, 405, "MethodNotAllowed"],
  ] as const)("answers %s %s with a Status", async (method, path, body, headers, code, reason) => {
    const { call } = await world();
    const answer = await call(method, path, body, headers);
    expect([answer.code, answer.json.kind, answer.json.reason, answer.json.code]).toEqual([
      code,
      "Status",
      reason,
      code,
    ]);
  });

  it("refuses a body of more than three MiB with 413", async () => {
    const { call } = await world();
    const { code, json } = await call("POST", MAPS, map("a", { k: "x".repeat(3 * 1024 * 1024) }));
    expect([code, json.message]).toEqual([413, "Request entity too large: limit is 3145728"]);
  });

  it("lets the controllers act after a write and before its answer, and not after a refusal", async () => {
    const acted: string[] = [];
    const { call } = await world({ afterWrite: () => acted.push("acted") });
    await call("POST", MAPS, map("a"));
    expect(acted).toEqual(["acted"]);
    await call("POST", MAPS, map("a"));
    await call("GET", `${MAPS}/a`);
    expect(acted).toEqual(["acted"]);
  });
});

describe("forms of an answer", () => {
  const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };

  it("prints tables, with as much of each object as is asked for", async () => {
    const { call } = await world();
    await call("POST", MAPS, map("a", { k: "1" }));
    const table = await call("GET", MAPS, undefined, TABLE);
    expect(table.json).toMatchObject({
      kind: "Table",
      columnDefinitions: [{ name: "Name" }, { name: "Data" }, { name: "Age" }],
      rows: [{ cells: ["a", 1, "0s"], object: { kind: "PartialObjectMetadata" } }],
    });
    const bare = await call("GET", `${MAPS}/a?includeObject=None`, undefined, TABLE);
    expect(bare.json.rows).toEqual([{ cells: ["a", 1, "0s"] }]);
  });

  it("lists metadata only", async () => {
    const { call } = await world();
    await call("POST", MAPS, map("a", { k: "1" }));
    const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    const { json } = await call("GET", `${MAPS}?limit=1`, undefined, { accept });
    expect(json).toMatchObject({
      kind: "PartialObjectMetadataList",
      items: [{ kind: "PartialObjectMetadata", metadata: { name: "a" } }],
    });
    expect(json.items[0].data).toBeUndefined();
  });

  it("gives discovery in one piece to those who take it so, else in lists", async () => {
    const { call } = await world();
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    const whole = await call("GET", "/apis", undefined, { accept });
    expect(whole.json.kind).toBe("APIGroupDiscoveryList");
    expect(whole.headers.get("content-type")).toContain("as=APIGroupDiscoveryList");
    expect((await call("GET", "/apis")).json.kind).toBe("APIGroupList");
    expect((await call("GET", "/api")).json.versions).toEqual(["v1"]);
    expect((await call("GET", "/apis/apps")).json.preferredVersion.groupVersion).toBe("apps/v1");
    expect((await call("GET", "/apis/apps/v1")).json.kind).toBe("APIResourceList");
  });

  it("is healthy and tells its version", async () => {
    const { call } = await world();
    for (const path of ["/healthz", "/livez", "/readyz"]) expect((await call("GET", path)).json).toBe("ok");
    expect((await call("GET", "/version")).json.gitVersion).toMatch(/^v1\.\d+\.\d+$/);
  });
});

describe("members behind the hub's proxy", () => {
  it("answers with the member's objects, not the hub's", async () => {
    const { call, hub, member1 } = await world();
    await call("POST", `${MEMBER}${MAPS}`, map("there"));
    const CONFIG_MAPS = { group: "", resource: "configmaps" };
    expect([hub.store.count(CONFIG_MAPS), member1.store.count(CONFIG_MAPS)]).toEqual([0, 1]);
    expect((await call("GET", `${MEMBER}${MAPS}/there`)).code).toBe(200);
    expect((await call("GET", `${MEMBER}/apis`)).json.kind).toBe("APIGroupList");
    expect((await call("GET", `${MEMBER}/healthz`)).json).toBe("ok");
  });

  it("does not know a cluster that is none", async () => {
    const { call } = await world();
    const { code, json } = await call(
      "GET",
      "/apis/cluster.karmada.io/v1alpha1/clusters/nowhere/proxy/api/v1/pods",
    );
    expect([code, json.message]).toEqual([404, 'clusters.cluster.karmada.io "nowhere" not found']);
  });

  it.each([
    [
      unavailable("error trying to reach service: dial tcp 10.0.0.1:6443: connect: connection refused"),
      503,
      null,
    ],
    [gatewayTimeout("the server was unable to return a response in the time allotted"), 504, null],
    [tooManyRequests("too many requests, please try again later", 7), 429, "7"],
  ])("hands on what stands between: %#", async (refusal, code, retryAfter) => {
    const asked: string[] = [];
    const made = await hubOverHttp();
    const { hub, member1 } = made;
    worlds.push(made);
    const access = (member: string, group: string) => {
      asked.push(`${member} ${group}`);
      return group === "metrics.k8s.io" ? { refusal, delayMs: 0 } : { delayMs: 0 };
    };
    const { call, server } = await world({
      fleet: { hub, members: new Map([["member1", member1]]), access },
    });
    const answer = await call("GET", `${MEMBER}/apis/metrics.k8s.io/v1beta1/namespaces/default/pods`);
    expect([answer.code, answer.headers.get("retry-after")]).toEqual([code, retryAfter]);
    expect(answer.json.message).toBe(refusal.message);
    expect((await call("GET", `${MEMBER}/api/v1/pods`)).code).toBe(200);
    expect(asked).toEqual(["member1 metrics.k8s.io", "member1 "]);
    expect(server.counts.entries()).toEqual({ "list pods proxied": 2 });
  });

  it("keeps the clients of a slow member waiting, and lets go of those who leave", async () => {
    const slow = await hubOverHttp();
    worlds.push(slow);
    const members = new Map([["member1", slow.member1]]);
    let delayMs = 30;
    const seen: number[] = [];
    const { call, server } = await world({
      fleet: { hub: slow.hub, members, access: () => ({ delayMs }) },
      observe: ({ code }) => seen.push(code),
    });
    const started = performance.now();
    expect((await call("GET", `${MEMBER}/api/v1/pods`)).code).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(25);
    delayMs = 600_000;
    const impatient = fetch(`${server.url}${MEMBER}/api/v1/pods`, { signal: AbortSignal.timeout(50) });
    await expect(impatient).rejects.toThrow();
    await expect.poll(() => seen).toEqual([200, 0]);
  });
});

describe("counting", () => {
  it("counts each request once by verb, resource and door", async () => {
    const seen: string[] = [];
    const { call, server } = await world({
      observe: ({ verb, resource, code }) => seen.push(`${verb} ${resource} ${code}`),
    });
    await call("POST", MAPS, map("a"));
    await call("GET", `${MAPS}/a`);
    await call("GET", `${MAPS}/b`);
    await call("GET", MAPS);
    await call("GET", `${MEMBER}${MAPS}`);
    await call("GET", "/apis");
    const counts = {
      "create configmaps": 1,
      "get configmaps": 2,
      "list configmaps": 1,
      "list configmaps proxied": 1,
    };
    expect(server.counts.entries()).toEqual(counts);
    expect(server.counts.totals()).toEqual({ reads: 4, writes: 1 });
    expect(seen).toEqual([
      "create configmaps 201",
      "get configmaps 200",
      "get configmaps 404",
      "list configmaps 200",
      "list configmaps 200",
    ]);
    server.counts.reset();
    expect(server.counts.entries()).toEqual({});
  });
});
