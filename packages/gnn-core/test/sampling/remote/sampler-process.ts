import { serveSampler } from "../../../src/sampling/remote/serve-sampler.ts";
import { ringSampler } from "./ring.ts";

/** A sampler process: serves the ring, and tells its parent where. */
const server = await serveSampler({ sampler: await ringSampler(), secret: null });
process.send?.(server.endpoint);
