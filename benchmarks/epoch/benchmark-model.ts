import { gat } from "../../packages/gnn-core/src/models/gat.model.ts";
import { gcn } from "../../packages/gnn-core/src/models/gcn.model.ts";
import { sage } from "../../packages/gnn-core/src/models/sage.model.ts";
import { nn } from "../../packages/gnn-core/src/nn/index.ts";
import type { GnnModel, ModelShape } from "../../packages/gnn-core/src/nn/model.ts";

export const modelNames = ["sage", "gcn", "gat"] as const;
export type ModelName = (typeof modelNames)[number];

/** Hidden width of the peers' scripts */
export const usualHidden: Record<ModelName, number> = { sage: 256, gcn: 256, gat: 16 };

export interface ModelChoice {
  readonly name: ModelName;
  readonly hidden: number;
  readonly numLayers: number;
  readonly dropout: number;
}

/** The models of the peers' scripts (bench_dgl.py), with the same widths, heads and places of dropout. */
export function benchmarkModel({ name, hidden, numLayers, dropout }: ModelChoice, shape: ModelShape): GnnModel {
  const stack = { hiddenFeats: hidden, numLayers, dropout };
  if (name === "gat") {
    // DGL's GATConv drops its input, that of the first layer too, and the attention at the same rate.
    const options = { ...stack, inputDropout: dropout, attentionDropout: dropout, heads: 1, outHeads: 1 };
    return gat.create(gat.options.parse(options), shape, nn);
  }
  // Its SAGEConv and GraphConv drop hidden rows only.
  const options = { ...stack, inputDropout: 0 };
  return name === "gcn"
    ? gcn.create(gcn.options.parse(options), shape, nn)
    : sage.create(sage.options.parse(options), shape, nn);
}
