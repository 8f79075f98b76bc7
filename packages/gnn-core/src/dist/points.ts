import { channel } from "node:diagnostics_channel";

/**
 * Named places in a training rank, open to whoever loads a listener into the process (`node:diagnostics_channel`): a
 * tracer, or a test that strikes right there. A listener runs on the training thread, synchronously. Messages carry
 * `epoch` and, inside an epoch, `step` and `numSteps` of it. Without a listener a publication costs a comparison.
 */
export const points = {
  /** A mini-batch of this step has been sampled and gathered. */
  sampled: channel("hopwise:sampled"),
  /**
   * Other ranks have been asked for in-edges of their nodes, for a mini-batch of this step; their answer is under way.
   */
  remoteRead: channel("hopwise:remote-read"),
  /** A sampler process has drawn the blocks of this step; its answer is about to go to the rank that asked. */
  remoteSample: channel("hopwise:remote-sample"),
  /** This rank's gradients are ready to be added to those of the others. */
  allReduce: channel("hopwise:all-reduce"),
  /** The checkpoint of an epoch is about to be written to local disk. */
  checkpointWrite: channel("hopwise:checkpoint-write"),
};
