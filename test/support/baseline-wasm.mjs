import { setFlagsFromString } from "node:v8";

// Loaded into every process that slow tests start (vitest.config.ts). PGlite lives for seconds there: its 8 MB of WebAssembly are used
// as first compiled, for optimizing them takes a third of the API's start and more than all its queries save.
setFlagsFromString("--liftoff-only");
