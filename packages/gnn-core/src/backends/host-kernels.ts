/**
 * What the native library computes over plain arrays in the host's memory, whatever backend the tensors have: their
 * results travel as attributes of kernels, never on the tape.
 */
export { dropoutValues } from "./native/kernels/dropout.ts";
export { fillGcnNorm, fillNeighborWeights, fillSymmetricNorm } from "./native/kernels/edge-weights.ts";
