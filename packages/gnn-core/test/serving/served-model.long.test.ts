import { describe, it } from "vitest";
import { expectAsReingested, kinds } from "./support/grown-graphs.ts";

/** All kinds of graphs and models; `served-model.test.ts` has a few of them. */

const models = [
  { type: "gcn", options: { numLayers: 2, hiddenFeats: 8 } },
  { type: "sage", options: { numLayers: 2, hiddenFeats: 8 } },
  { type: "gat", options: { numLayers: 2, hiddenFeats: 4, heads: 2 } },
  { type: "gin", options: { numLayers: 3, hiddenFeats: 8 } },
];

describe.each(kinds)("new nodes of a graph that is $name", (kind) => {
  it.each(models)("get from $type $options what they get once they are ingested", (model) =>
    expectAsReingested(kind, { model }),
  );
});

describe("new nodes", () => {
  const kind = { directed: true, hasWeights: true };

  it.each([
    { name: "a model of one layer", model: { type: "sage", options: { numLayers: 1 } } },
    { name: "ten hops", model: { type: "appnp", options: {} } },
    { name: "a model without edges", model: { type: "mlp", options: {} } },
    {
      name: "messages in both directions",
      sampling: { type: "neighbor", options: { fanouts: [5, 5], edgeDir: "both" } },
    },
    {
      name: "messages against the edges",
      sampling: { type: "neighbor", options: { fanouts: [5, 5], edgeDir: "out" } },
    },
    {
      name: "embeddings alone",
      task: { type: "deepGraphInfomax", dim: 4 },
      model: { type: "gcn", options: { numLayers: 1, dropout: 0 } },
    },
  ])("get from $name what they get once they are ingested", ({ name: _name, ...options }) =>
    expectAsReingested(kind, { model: { type: "gcn", options: { numLayers: 2 } }, ...options }),
  );
});
