export { type BackendName, selectBackend } from "./backends/select-backend.ts";
export type { Collective } from "./dist/collective.ts";
export { connectGloo, type GlooOptions } from "./dist/gloo.ts";
export { loopback, loopbackGroup } from "./dist/loopback.ts";
export type { RankContext } from "./dist/rank-context.ts";
export { InMemoryRendezvousStore, prefixedStore, type RendezvousStore } from "./dist/rendezvous-store.ts";
export * from "./spec/index.ts";
