import type { z } from "zod";
import type { PartitionInput } from "../partition/partitioner.ts";
import type { ComponentBase } from "./component.ts";

export interface PartitionerComponent<O extends z.ZodObject = z.ZodObject> extends ComponentBase<O> {
  readonly kind: "partitioner";
  /** Peak bytes while partitioning, for the estimate. */
  readonly peakBytes: (numNodes: number, numEdges: number) => number;
  /** Assigns each node a part: Int32Array [numNodes], values in [0, numParts). */
  readonly assign: (input: PartitionInput, options: z.infer<O>, signal: AbortSignal) => Promise<Int32Array>;
}

/** Declares a partitioner. One per file, exported from `partition/<name>.partitioner.ts`. */
export function definePartitioner<O extends z.ZodObject>(
  partitioner: Omit<PartitionerComponent<O>, "kind">,
): PartitionerComponent<O> {
  return { kind: "partitioner", ...partitioner };
}
