/** What a process needs to be one rank; light to load, so that a rank that only moves files starts at once. */

import type { tryBackend as tryBackendNow } from "./ops/try-backend.ts";

export type { CudaDevice } from "./backends/cuda/load-addon.ts";
export { type BackendName, type BackendOptions, selectBackend } from "./backends/select-backend.ts";
export type { TensorflowDevice } from "./backends/tensorflow.ts";
export type { Collective } from "./dist/collective.ts";
export { giveUpAfter } from "./dist/give-up-after.ts";
export { connectGloo, type GlooOptions } from "./dist/gloo.ts";
export { parentRendezvous, serveRendezvous } from "./dist/ipc-rendezvous.ts";
export { loopback, loopbackGroup } from "./dist/loopback.ts";
export type { PortRange, RankContext, RankNetwork } from "./dist/rank-context.ts";
export { InMemoryRendezvousStore, prefixedStore, type RendezvousStore } from "./dist/rendezvous-store.ts";
export type { RowService } from "./dist-store/row-service.ts";
export { connectRowService, type RowServiceOptions } from "./dist-store/zeromq-rows.ts";
export { devicesProgram } from "./host/devices-program.ts";
export { outOfMemoryKills } from "./host/out-of-memory-kills.ts";
export { readProcessUsage } from "./host/process-usage.ts";
export { usableCores, usableMemory } from "./host/usable.ts";
export { type RemoteSampler, type RemoteSamplerOptions, remoteSampler } from "./sampling/remote/remote-sampler.ts";
export { type SamplerServer, type SamplerServerOptions, serveSampler } from "./sampling/remote/serve-sampler.ts";
export type { Sampler } from "./sampling/sampler.ts";

/** Computes something small on the active backend. @throws GnnError DEVICE_NOT_AVAILABLE when it comes out wrong */
export const tryBackend: typeof tryBackendNow = async () => (await import("./ops/try-backend.ts")).tryBackend();
