// One cold start as Lambda makes it: a runtime that asks for invocations over HTTP, then the bundle, then one
// invocation. Prints the milliseconds since this process began, and those that a processor worked for it, all its
// threads together. Ref: Lambda Developer Guide, "Runtime API".
import { request } from "node:http";
import { pathToFileURL } from "node:url";

const [bundle] = process.argv.slice(2);
const { AWS_LAMBDA_RUNTIME_API: api } = process.env;
const INVOCATION = "/2018-06-01/runtime/invocation";

const began = performance.now();
const { handler } = await import(pathToFileURL(bundle).href);
const imported = performance.now();
const event = JSON.parse(await call("GET", `${INVOCATION}/next`));
const result = await handler(event, { awsRequestId: "r-1", getRemainingTimeInMillis: () => 10_000 });
await call("POST", `${INVOCATION}/r-1/response`, JSON.stringify(result ?? null));
const doneMs = performance.now();
const { user, system } = process.cpuUsage();
console.log(`@${JSON.stringify({ importedMs: imported - began, doneMs, cpuMs: (user + system) / 1000 })}`);
process.exit(0);

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const asked = request(`http://${api}${path}`, { method }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
