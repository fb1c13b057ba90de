// A bundle is minified: a stack names places in its source, looked up when the stack is read. Node's own
// --enable-source-maps reads the whole map at every start, which a cold start waits for.
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";

const FOLDER = new URL(".", import.meta.url).href;
const maps = new Map();

Error.prepareStackTrace = (error, frames) =>
  [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${placed(frame)}`)].join("\n");

function placed(frame) {
  const text = String(frame);
  const file = frame.getFileName();
  if (!file?.startsWith(FOLDER)) return text;
  const origin = mapOf(file)?.findOrigin(frame.getLineNumber(), frame.getColumnNumber());
  if (origin?.fileName === undefined) return text;
  const source = origin.fileName.replace(/^(\.\.\/)+/, "");
  const place = `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  return text.replace(/[^\s(]+:\d+:\d+/, () => place);
}

/** Undefined where there is none: a stack is never lost over its map. */
function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(url), "utf8")));
  } catch {
    return undefined;
  }
}
