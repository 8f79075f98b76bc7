import type { SamplerStepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { TrainStepOptions } from "../spec/train-options.ts";
import { buildSampler, messageGraphOf, numHopsOf } from "../train/build-components.ts";
import { inducedByTrainNodes } from "../train/induced-graph.ts";
import { partsData } from "../train/parts-data.ts";
import { stepInput } from "./step-input.ts";

/**
 * What a sampler process of the `train` step serves: the sampler that each rank would make for its training batches,
 * but for the degrees that some models add, which every rank looks up itself.
 *
 * @throws GnnError SPEC_INVALID when no other process can draw the batches; those of `partsData` and of the sampler
 */
export async function createStepSampler(context: SamplerStepContext<TrainStepOptions>): Promise<Sampler> {
  const { options, inputs, registry } = context;
  const numHops = numHopsOf(options.model, registry);
  const why = objectionToSamplers(options, numHops);
  if (why !== null) throw refused(why);
  const { graph: stored, split } = partsData(stepInput(inputs, "parts"), options.features);
  const whole = await messageGraphOf(options.sampling, stored, registry);
  const graph = options.task.inductive ? inducedByTrainNodes(whole, split) : whole;
  return buildSampler(options.sampling, { graph, numHops, seed: options.train.seed }, registry);
}

function objectionToSamplers({ model, graph }: TrainStepOptions, numHops: number): string | null {
  if (numHops === 0) return `the model ${model.type} reads no neighbours, so there is nothing to draw`;
  if (graph === "partitioned") return 'ranks that hold a part each draw from each other (use "graph": "shared")';
  return null;
}

function refused(why: string): GnnError {
  const pointer = "/resources/samplers";
  return new GnnError("SPEC_INVALID", `${pointer}: ${why}; use "samplers": 0.`, { place: { pointer } });
}
