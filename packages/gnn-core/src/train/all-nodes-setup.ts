import { GnnError } from "../errors/gnn-error.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/**
 * What tasks that learn from all nodes cannot have beside them, whether they compare views or walk.
 *
 * @param whole why every host needs the whole graph
 * @throws GnnError SPEC_INVALID with the pointer of what does not go with them
 */
export function refuseBesideAllNodes({ data, options, registry }: ResolvedSetup, whole: string): void {
  const refuse = (pointer: string, found: string): never => {
    throw new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
  };
  if (data.graph.remote) refuse("/resources/graph", whole);
  if (options.task.inductive) refuse("/task/inductive", "every node is learnt from, so none can be left out");
  const { type } = options.sampling;
  const sampler = registry.get("sampler", type);
  if (sampler.createPass || sampler.plansEpochs) {
    refuse("/sampling/type", `${type} keeps sums or plans batches of its own; choose neighbor or full`);
  }
  if (options.train.evaluate.mode === "sampled") {
    refuse("/train/evaluate/mode", "the loss is computed from whole neighbourhoods; choose layerwise");
  }
}
