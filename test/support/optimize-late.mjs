import { setFlagsFromString } from "node:v8";

// Loaded into every process that slow tests start (vitest.config.ts): these live for seconds. PGlite's 8 MB of
// WebAssembly are used as first compiled, for optimizing them takes a third of the API's start and more than all its
// queries save. JavaScript is optimized after seven times as much work as usual: of 3.5 CPU seconds of the API's start
// half a second went into that.
for (const flag of ["--liftoff-only", "--interrupt-budget=1000000"]) setFlagsFromString(flag);
