import type { ForwardContext } from "./model.ts";

/** Where nothing is trained: layers drop nothing, and so draw by nothing. */
export const noDropout = { training: false, seed: 0, epoch: 0, step: 0 } as const satisfies ForwardContext;
