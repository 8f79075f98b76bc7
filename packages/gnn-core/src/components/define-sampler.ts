import type { z } from "zod";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { UniformDraws } from "../sampling/device-sampler.ts";
import type { Sampler, SamplerContext } from "../sampling/sampler.ts";
import type { ForwardPass, ForwardPassContext } from "../train/forward-pass.ts";
import type { ComponentBase } from "./component.ts";
import type { LinearAggregation } from "./define-model.ts";

/** What is wrong with one of a sampler's options, or (null) with its use at all. */
export interface SamplerObjection {
  readonly option: string | null;
  readonly message: string;
}

export interface SamplerComponent<O extends z.ZodObject = z.ZodObject> extends ComponentBase<O> {
  readonly kind: "sampler";
  /**
   * Expected number of input rows per seed of a batch of `numSeeds` on one rank, for the estimate. There are so many
   * types of nodes, at least one.
   */
  readonly rowsPerSeed: (
    options: z.infer<O>,
    meanDegree: number,
    numHops: number,
    numSeeds: number,
    numNodeTypes: number,
  ) => number;
  /** For the estimate: whether it computes the first sum over neighbours of all nodes and keeps it. */
  readonly keepsFeatureSums?: boolean;
  /** For the estimate: passes over all nodes that it makes in each epoch; left out: none. */
  readonly passesPerEpoch?: number;
  /** Whether it suits a model of so many hops (at least one), asked before anything runs; left out: always. */
  readonly check?: (
    options: z.infer<O>,
    numHops: number,
    model: { readonly name: string; readonly aggregation: LinearAggregation | null },
  ) => SamplerObjection | null;
  /**
   * The graph along whose edges messages go, in training and in inference, made from the one that is stored; left out:
   * that one.
   */
  readonly messageGraph?: (options: z.infer<O>, graph: CscGraph) => Promise<CscGraph>;
  /** For the estimate: edges that `messageGraph` makes of each that is stored; left out or 0: it makes none. */
  readonly edgesMade?: (options: z.infer<O>) => number;
  /** Whether it can draw where other ranks hold parts of the graph (`CscGraph.remote`); left out: never. */
  readonly drawsRemotely?: (options: z.infer<O>) => boolean;
  /**
   * What a device may draw in its place, from a graph in its memory and with the same bits: uniform in-neighbours.
   * Left out or null: it does not draw so.
   */
  readonly drawsOnDevice?: (options: z.infer<O>) => UniformDraws | null;
  /** For the estimate: whether it takes every in-neighbour at every hop; left out: it draws some. */
  readonly takesAll?: (options: z.infer<O>) => boolean;
  /**
   * Whether edges can be taken out of what it has drawn, as tasks on edges do with those of a step: all that it draws
   * counts alike. Left out: they cannot.
   */
  readonly suitsEdges?: (options: z.infer<O>) => boolean;
  /** Whether its blocks say of which relation each edge is, where the graph has several; left out: they do not. */
  readonly keepsEdgeTypes?: (options: z.infer<O>) => boolean;
  /** Whether it draws from before the time of a link, so that links must be split by time; left out: no. */
  readonly needsTimes?: boolean;
  /** Whether it draws by the weights of edges, where the graph has some; left out: it does not. */
  readonly readsEdgeWeights?: (options: z.infer<O>) => boolean;
  /**
   * Whether its samplers plan whole epochs (`epochSeeds`), so that no other process can draw a batch; left out: they do
   * not.
   */
  readonly plansEpochs?: boolean;
  /** `context.graph` is what `messageGraph` gave. */
  readonly create: (options: z.infer<O>, context: SamplerContext) => Sampler | Promise<Sampler>;
  /** For methods that are more than a choice of edges: their way from a batch to logits. */
  readonly createPass?: (options: z.infer<O>, context: ForwardPassContext) => Promise<ForwardPass>;
}

/** Declares a sampler. One per file, exported from `sampling/<name>.sampler.ts`. */
export function defineSampler<O extends z.ZodObject>(sampler: Omit<SamplerComponent<O>, "kind">): SamplerComponent<O> {
  return { kind: "sampler", ...sampler };
}
