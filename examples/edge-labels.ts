/**
 * Learns how far members of a market trust each other: the rating on each edge, from −10 to 10, and whether it is below
 * zero, from the rows of both ends. Nodes have no features but what the edges say; the newest ratings are held out.
 *
 *   main
 *   ├── madeUpRatings, bitcoinRatings  rows of edges with ratings, their split, and the graph that messages go along
 *   ├── Trainer.create                 `edges`: rows, split and goal beside the encoder of the options
 *   ├── trainer.fit                    for each epoch: ends of the edges of a step → NodeLoader → trainStep …
 *   └── trainer.inferEdges             a prediction for every edge: logits, or numbers in the units of the ratings
 *
 * Run it: node --import tsx examples/edge-labels.ts [FOLDER OF bitcoin-otc [SEED …]]
 */
import { type Goal, Trainer } from "@hopwise/gnn-core";
import { bitcoinRatings, madeUpRatings, type Ratings } from "./edge-labels/data.ts";

const forMadeUp = { epochs: 20, batchSize: 128 };
const forBitcoin = { epochs: 10, batchSize: 1_024 };

async function main(folder: string | undefined, seeds: readonly number[]): Promise<void> {
  const ratings = folder === undefined ? await madeUpRatings() : await bitcoinRatings(folder);
  const chosen = folder === undefined ? forMadeUp : forBitcoin;
  const { values, baseline } = ratings;
  console.log(`without learning, test MAE: ${baseline.median.toFixed(3)} (median), ${baseline.ends.toFixed(3)} (ends)`);
  const numbers: Goal = { type: "regression", targets: { names: ["rating"], values }, loss: "mae" };
  const labels = Int32Array.from(values, (rating) => Number(rating < 0));
  const signs: Goal = { type: "classification", labels, numClasses: 2, classWeights: "balanced" };
  for (const seed of seeds) {
    const ofRatings = await run(ratings, numbers, { ...chosen, seed });
    const { metrics } = await run(ratings, signs, { ...chosen, seed });
    const found = [ofRatings.metrics["test/mae"], metrics["test/rocAuc"], metrics["test/macroF1"]];
    const [mae, auc, f1] = found.map((value) => (value ?? 0).toFixed(3));
    console.log(`seed ${seed}: test MAE ${mae}; below zero: AUC ${auc}, macro F1 ${f1}`);
    const { src, dst } = ratings.edges;
    console.log(`  edge 0: ${src[0]} rated ${dst[0]} ${values[0]}, predicted ${ofRatings.outputs[0]?.toFixed(1)}`);
  }
}

async function run({ graph, features, edges, split }: Ratings, goal: Goal, train: typeof forMadeUp & { seed: number }) {
  const trainer = await Trainer.create({
    data: { graph, features, split: new Int8Array(graph.numNodes) },
    edges: { edges, split, goal, dim: 32, hiddenFeats: 32 },
    options: {
      model: { type: "sage", options: { hiddenFeats: 32, numLayers: 2, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
      features: { transforms: [], embedding: { dim: 16 } },
      train: { ...train, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const { metrics } = await trainer.fit();
  const { outputs } = await trainer.inferEdges();
  trainer.dispose();
  return { metrics, outputs };
}

const [folder, ...seeds] = process.argv.slice(2);
await main(folder, seeds.length > 0 ? seeds.map(Number) : [0]);
