import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { refusalOf } from "#infra/local/page/request-guard";

const request = (method: string, headers: IncomingHttpHeaders) => ({ method, headers }) as IncomingMessage;
const own = { host: "127.0.0.1:8080", origin: "http://127.0.0.1:8080" };

describe("who may talk to the live page", () => {
  it.each<[string, string, IncomingHttpHeaders]>([
    ["its own browser may read", "GET", { host: "127.0.0.1:8080" }],
    ["by the other name of this machine as well", "GET", { host: "localhost:8080" }],
    ["the page itself may change something", "POST", own],
    ["also where the browser says from where", "POST", { ...own, "sec-fetch-site": "same-origin" }],
  ])("%s", (_case, method, headers) => {
    expect(refusalOf(request(method, headers), 8080)).toBeUndefined();
  });

  it.each<[string, string, IncomingHttpHeaders, RegExp]>([
    ["a name that was pointed here (DNS rebinding)", "GET", { host: "evil.example:8080" }, /not at evil/],
    ["another port", "GET", { host: "127.0.0.1:9090" }, /answers at 127\.0\.0\.1:8080/],
    ["no name at all", "GET", {}, /answers at/],
    ["a read for another site", "GET", { ...own, origin: "http://evil.example" }, /may not read/],
    ["a form of another site", "POST", { ...own, origin: "http://evil.example" }, /only the page itself/],
    ["a sandboxed frame", "POST", { ...own, origin: "null" }, /only the page itself/],
    ["a write that does not say from where", "POST", { host: own.host }, /only the page itself/],
    [
      "the other name of this machine as origin",
      "POST",
      { ...own, origin: "http://localhost:8080" },
      /only the page/,
    ],
    [
      "a browser that says it is another site",
      "POST",
      { ...own, "sec-fetch-site": "cross-site" },
      /only the/,
    ],
  ])("refuses %s", (_case, method, headers, sentence) => {
    expect(refusalOf(request(method, headers), 8080)).toMatch(sentence);
  });
});
