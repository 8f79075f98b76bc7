/**
 * Learns classes of whole graphs, fold by fold, with a graph isomorphism network and a sum over the nodes.
 *
 *   main
 *   ├── madeUpGraphs, filesOf   graphs → graphSetOf: one id space, folds, a label for each graph
 *   ├── splitOfFold             train, validation and test of one fold
 *   ├── Trainer.create          `graphs`: what is known of each, readout and head behind the encoder of the options
 *   ├── trainer.fit             batches of whole graphs; the epoch that is best on the fold's validation graphs is kept
 *   └── trainer.inferGraphs     a row and logits for every graph, by its id
 *
 * Run it: node --import tsx examples/graph-classification.ts [FOLDER OF A DATA SET [SPLITS [FOLDS]]]
 */
import { type GraphLearning, splitOfFold, sumReadout, Trainer } from "@hopwise/gnn-core";
import { filesOf, type GraphData, madeUpGraphs } from "./graph-classification/data.ts";

const forMadeUp = { epochs: 15, hiddenFeats: 16, numLayers: 2 };
const forFiles = { epochs: 100, hiddenFeats: 32, numLayers: 3 };

async function main(folder: string | undefined, splits: string | undefined, numFolds: number): Promise<void> {
  const data = folder === undefined ? await madeUpGraphs() : await filesOf(folder, splits);
  const chosen = folder === undefined ? forMadeUp : forFiles;
  console.log(`graphs: ${data.set.ids.length}, nodes: ${data.set.graph.numNodes}, folds: ${data.folds.length}`);
  const shares: number[] = [];
  for (const fold of data.folds.keys()) {
    if (fold < numFolds) shares.push(await run(data, fold, chosen));
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const deviation = Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
  console.log(`mean test accuracy of ${shares.length} folds ${percent(mean)} ± ${percent(deviation)}`);
}

/** Trains on one fold. @returns the share of its test graphs whose class was found */
async function run(
  { set, features, labels, numClasses, folds }: GraphData,
  index: number,
  { epochs, hiddenFeats, numLayers }: typeof forFiles,
): Promise<number> {
  const fold = folds[index];
  if (!fold) throw new RangeError(`There is no fold ${index}.`);
  const graphs: GraphLearning = {
    set,
    split: splitOfFold(fold, set),
    goal: { type: "classification", labels, numClasses },
    dim: hiddenFeats,
    readout: sumReadout,
    dropout: 0.5,
  };
  const trainer = await Trainer.create({
    data: { graph: set.graph, features, split: new Int8Array(set.graph.numNodes) },
    graphs,
    options: {
      model: { type: "gin", options: { hiddenFeats, numLayers, norm: "batch", dropout: 0 } },
      train: { epochs, batchSize: 32, seed: index, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const { best, metrics } = await trainer.fit();
  const accuracy = metrics["test/accuracy"] ?? 0;
  const { outputs } = await trainer.inferGraphs();
  const logits = Array.from(outputs.subarray(0, numClasses), (value) => value.toFixed(2)).join(", ");
  console.log(`fold ${index}: best epoch ${best?.epoch}, test ${percent(accuracy)}; graph ${set.ids[0]}: ${logits}`);
  trainer.dispose();
  return accuracy;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const [folder, splits, folds] = process.argv.slice(2);
await main(folder, splits, folds === undefined ? Number.POSITIVE_INFINITY : Number(folds));
