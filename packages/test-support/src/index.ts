export { arbitraryGraph, arbitraryIds, type GraphLimits } from "./arbitraries.ts";
export { expectAllClose, type Tolerance } from "./expect-all-close.ts";
export { cycle, isolated, karate, karateFactions, type NamedGraph, namedGraphs, star } from "./graphs.ts";
