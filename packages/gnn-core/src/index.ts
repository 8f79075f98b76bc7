export * from "./spec/index.ts";
export type { Collective } from "./dist/collective.ts";
export type { RankContext } from "./dist/rank-context.ts";
export { buildManifest } from "./io/manifest-file.ts";
