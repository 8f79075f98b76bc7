/**
 * Learns who will be linked next from links that have times: each is learnt from what was there before it, beside a
 * model that hears of all training links whenever they came, and a count of common neighbours.
 *
 *   main
 *   ├── linksOfFile, madeUpLinks   links in the order of their time, the newest held out (`splitLinks`)
 *   ├── commonNeighbors            what can be told without learning
 *   └── Trainer.create, fit        sampler `temporal` → rows of the ends at the time of each link; or `neighbor`
 *
 * Run it: node --import tsx examples/temporal-links.ts [FOLDER OF college-msg OR bitcoin-otc [SEED …]]
 */
import { binaryCrossEntropy, type LinkSplit, mlpDecoder, noFeatures, Trainer, uniformTail } from "@hopwise/gnn-core";
import { commonNeighbors, linksOfFile, madeUpLinks } from "./temporal-links/data.ts";

const samplers = {
  temporal: { type: "temporal", options: { fanouts: [8, 4] } },
  recent: { type: "temporal", options: { fanouts: [8, 4], pick: "recent" } },
  static: { type: "neighbor", options: { fanouts: [8, 4] } },
} as const;

async function main(folder: string | undefined, seeds: readonly number[]): Promise<void> {
  const split = folder === undefined ? await madeUpLinks() : await linksOfFile(folder);
  const { train, val, test } = split;
  console.log(
    `${train.src.length} links to learn from, ${val.positives.src.length} and ${test.positives.src.length} held out`,
  );
  const { auc, ap } = commonNeighbors(split, test);
  console.log(`common neighbours: test AUC ${(auc ?? 0).toFixed(4)}, AP ${(ap ?? 0).toFixed(4)}`);
  for (const name of ["temporal", "recent", "static"] as const) {
    for (const seed of seeds) console.log(`${name}, seed ${seed}: ${await run(split, name, seed)}`);
  }
}

async function run(split: LinkSplit, name: keyof typeof samplers, seed: number): Promise<string> {
  const { numNodes, graph, seen } = split;
  const trainer = await Trainer.create({
    data: { graph, features: noFeatures(numNodes), split: new Int8Array(numNodes) },
    links: {
      split,
      dim: 32,
      decoder: (shape) => mlpDecoder({ ...shape, input: "hadamard", hiddenFeats: 32 }),
      loss: binaryCrossEntropy(),
      negatives: uniformTail({ perLink: 1, seed, seen }),
    },
    options: {
      model: { type: "sage", options: { hiddenFeats: 32, numLayers: 2, dropout: 0.3 } },
      sampling: samplers[name],
      features: { embedding: { dim: 32 } },
      train: {
        seed,
        epochs: 8,
        batchSize: Math.min(512, Math.ceil(split.train.src.length / 8)),
        optimizer: { type: "adam", options: { lr: 0.005 } },
      },
    },
  });
  const { best, metrics } = await trainer.fit();
  trainer.dispose();
  const [val, auc, ap] = ["val/auc", "test/auc", "test/ap"].map((figure) => (metrics[figure] ?? 0).toFixed(4));
  return `best epoch ${best?.epoch}, val AUC ${val}, test AUC ${auc}, AP ${ap}`;
}

const [folder, ...seeds] = process.argv.slice(2);
await main(folder, seeds.length > 0 ? seeds.map(Number) : [0]);
