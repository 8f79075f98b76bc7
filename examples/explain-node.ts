/**
 * Asks a trained model why it gives a node its class: GNNExplainer weighs the edges and the features that the
 * prediction is computed from. The classes are made up so that the answer is known: one neighbour's one feature
 * decides.
 *
 *   main
 *   ├── plantedClasses  a node is of class 1 if one of its in-neighbours carries the mark
 *   ├── trainer.fit     learns to tell
 *   └── explainNode     edges and features by their weight, and what the prediction loses without them
 *
 * Run it: node --import tsx examples/explain-node.ts
 */
import { explainNode, Trainer } from "@hopwise/gnn-core";
import { plantedClasses } from "./explain-node/data.ts";

async function main(): Promise<void> {
  const { data, nodes, markedNeighborOf } = await plantedClasses();
  const trainer = await Trainer.create({
    data,
    options: {
      model: { type: "sage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 80, batchSize: 50, optimizer: { type: "adam", options: { lr: 0.02 } } },
    },
  });
  await trainer.fit();
  let numFound = 0;
  for (const node of nodes) {
    const options = { topEdges: 1, topFeatures: 1 };
    const told = await explainNode({ ...trainer.data, model: trainer.model }, node, options);
    const [edge] = told.edges;
    if (edge?.src === markedNeighborOf.get(node) && edge?.dst === node) numFound++;
    console.log(
      `node ${node}: class ${told.target} by ${percent(told.probability)} %, most by the edge ${edge?.src} → ${edge?.dst} ` +
        `and feature ${told.features[0]?.feature}; without them ${percent(told.fidelityPlus)} points less, ` +
        `with them alone ${percent(told.fidelityMinus)}`,
    );
  }
  trainer.dispose();
  console.log(`the deciding edge found for ${numFound} of ${nodes.length} nodes`);
}

const percent = (share: number) => Math.round(100 * share);

await main();
