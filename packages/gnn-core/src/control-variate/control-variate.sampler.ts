import { z } from "zod";
import type { LinearAggregation } from "../components/define-model.ts";
import { defineSampler, type SamplerObjection } from "../components/define-sampler.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { rowsPerSeed } from "../sampling/fanouts.ts";

/**
 * VR-GCN: draws one or two neighbours a node and hop, and corrects the estimate by what it remembers of all the others.
 * The first hop is summed up once for all nodes, so a model of L layers draws L − 1 hops.
 */
export const controlVariateSampler = defineSampler({
  name: "controlVariate",
  version: 1,
  title: "Control variates (VR-GCN)",
  summary: "Draws one neighbour per node and corrects it by remembered rows of the rest; for GCN and mean GraphSAGE.",
  reference: "Chen, Zhu and Song 2018, arXiv:1710.10568",
  options: z.strictObject({
    numNeighbors: z
      .number()
      .int()
      .min(-1)
      .max(100_000)
      .refine((count) => count !== 0, "Draw at least one neighbour, or -1 for all")
      .default(1)
      .describe("In-neighbours drawn per node and hop; 1 or 2 do; -1 takes all"),
  }),
  keepsFeatureSums: true,
  rowsPerSeed: ({ numNeighbors }, meanDegree, numHops) =>
    rowsPerSeed(
      Array.from({ length: numHops - 1 }, () => numNeighbors),
      meanDegree,
    ),
  // The histories are computed anew.
  passesPerEpoch: 1,
  check: (_options, _numHops, model) => objectionTo(model),
  create: async ({ numNeighbors }, { graph, numHops, seed }) => {
    const [{ createBlockSampler }, { withDrawImportance }] = await Promise.all([
      import("../sampling/block-sampler.ts"),
      import("./draw-importance.ts"),
    ]);
    const fanouts = Array.from({ length: numHops - 1 }, () => numNeighbors);
    return withDrawImportance(createBlockSampler({ graph, fanouts, replace: false, seed }), graph);
  },
  createPass: async (_options, { aggregation, ...context }) => {
    if (aggregation === null) {
      const { message } = objectionTo({ name: "chosen", aggregation }) as SamplerObjection;
      throw new GnnError("SPEC_INVALID", message, { place: { pointer: "/sampling/type" } });
    }
    const { ControlVariatePass } = await import("./control-variate-pass.ts");
    return ControlVariatePass.create({ ...context, aggregation });
  },
});

function objectionTo(model: { name: string; aggregation: LinearAggregation | null }): SamplerObjection | null {
  if (model.aggregation !== null) return null;
  const message = `Control variates estimate a fixed sum over neighbours, and the layers of the model "${model.name}" do not begin with one; choose gcn, or sage with the mean aggregator, or another sampler.`;
  return { option: null, message };
}
