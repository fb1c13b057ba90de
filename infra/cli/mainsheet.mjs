#!/usr/bin/env node
// The sources are TypeScript; tsx runs them on every supported Node.
import { register } from "tsx/esm/api";

register();
await import("./main.ts");
