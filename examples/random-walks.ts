/**
 * Learns rows for the nodes of a graph that has neither features nor labels, by random walks along its edges (DeepWalk,
 * and node2vec with walks that stay near), then asks a linear probe what they hold of the communities.
 *
 *   main
 *   ├── madeUpCommunities  edges alone
 *   ├── Trainer.create     the task says how to walk; the model gives the learned rows as they are
 *   ├── trainer.fit        walks of each step → pairs of near nodes, drawn nodes beside them → the touched rows move
 *   ├── trainer.infer      a row for every node
 *   └── linearProbe        logistic regression on the frozen rows
 *
 * Run it: node --import tsx examples/random-walks.ts
 */
import { noFeatures, Trainer } from "@hopwise/gnn-core";
import { madeUpCommunities, percentTold } from "./embeddings/communities.ts";

const numNodes = 600;
const numGroups = 4;
const dim = 32;

async function main(): Promise<void> {
  const { graph, labels } = await madeUpCommunities(numNodes, numGroups);
  for (const [name, q] of [
    ["DeepWalk", 1],
    ["node2vec", 2],
  ] as const) {
    const trainer = await Trainer.create({
      data: { graph, features: noFeatures(numNodes), split: new Int8Array(numNodes) },
      options: {
        task: { type: "node2vec", dim, walkLength: 10, walksPerNode: 5, window: 3, q },
        model: { type: "shallow" },
        features: { embedding: { dim, optimizer: { type: "sparseAdam", options: { lr: 0.02 } } } },
        train: { epochs: 6, batchSize: 100 },
      },
    });
    const { metrics } = await trainer.fit();
    const { embeddings } = await trainer.infer();
    trainer.dispose();
    const told = percentTold(embeddings, labels, numGroups);
    console.log(`${name}: loss ${metrics["val/loss"]?.toFixed(3)}, rows tell ${told} % of the test nodes`);
  }
}

await main();
