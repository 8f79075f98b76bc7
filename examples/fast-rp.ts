/**
 * Makes rows for the nodes of a graph that has neither features nor labels, without training: FastRP averages random
 * rows along the edges. Then asks a linear probe what they hold of the communities.
 *
 *   main
 *   ├── madeUpCommunities  edges alone
 *   ├── Trainer.create     the task learns nothing; the model says what each hop weighs
 *   ├── trainer.fit        takes no step
 *   ├── trainer.infer      a row for every node, a pass over the edges for each hop
 *   └── linearProbe        logistic regression on the rows
 *
 * Run it: node --import tsx examples/fast-rp.ts
 */
import { noFeatures, Trainer } from "@hopwise/gnn-core";
import { madeUpCommunities, percentTold } from "./embeddings/communities.ts";

const numNodes = 600;
const numGroups = 4;
const dim = 64;

async function main(): Promise<void> {
  const { graph, labels } = await madeUpCommunities(numNodes, numGroups);
  for (const [name, iterationWeights] of [
    ["one hop", [1]],
    ["four hops", [0, 0, 1, 1]],
  ] as const) {
    const trainer = await Trainer.create({
      data: { graph, features: noFeatures(numNodes), split: new Int8Array(numNodes) },
      options: {
        task: { type: "fastRp", dim },
        model: { type: "fastRp", options: { iterationWeights } },
        train: { epochs: 1 },
      },
    });
    await trainer.fit();
    const { logits: rows } = await trainer.infer();
    trainer.dispose();
    console.log(`${name}: rows tell ${percentTold(rows, labels, numGroups)} % of the test nodes`);
  }
}

await main();
