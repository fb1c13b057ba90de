// One execution environment of `route`: its bundle in a process of its own, an invocation at a time. Answers each event
// with what the handler returned and the resident memory after it, in megabytes.
import { pathToFileURL } from "node:url";

const [bundle] = process.argv.slice(2);
const { handler } = await import(pathToFileURL(bundle).href);
let last = Promise.resolve();

process.on("message", ({ id, event }) => {
  last = last.then(async () => {
    const context = { awsRequestId: String(id), getRemainingTimeInMillis: () => 10_000 };
    const response = await handler(event, context);
    process.send({ id, response, residentMb: process.memoryUsage.rss() / 2 ** 20 });
  });
});
process.send("ready");
