/**
 * Learns which papers cite each other, judges it by links that were never shown, and names likely new neighbours.
 *
 *   main
 *   ├── madeUpLinks, coraLinks  edges → splitLinks: messages, links to learn from, held-out links and negatives
 *   ├── Trainer.create          `links`: decoder, loss and negatives beside the encoder of the options
 *   ├── trainer.fit             for each epoch: linkBatches → EdgeLoader → trainStep …, AUC of val after it
 *   └── trainer.infer           a row for every node, which `trainer.decoder` scores
 *       ├── rankLinks           the place of each held-out link among all nodes
 *       └── topNewLinks         the best new neighbours of a node
 *
 * Run it: node --import tsx examples/link-prediction.ts [FOLDER OF cora AND cora-lp [SEED …]]
 */
import {
  binaryCrossEntropy,
  hitsAt,
  type LinkLearning,
  meanReciprocalRank,
  mlpDecoder,
  rankLinks,
  Trainer,
  topNewLinks,
  uniformTail,
} from "@hopwise/gnn-core";
import { coraLinks, type LinkData, madeUpLinks } from "./link-prediction/data.ts";

const dim = 64;
const forMadeUp = { epochs: 15, batchSize: 256, dropout: 0 };
const forCora = { epochs: 40, batchSize: 1_024, dropout: 0.5 };

async function main(datasets: string | undefined, seeds: readonly number[]): Promise<void> {
  const data = datasets === undefined ? await madeUpLinks() : await coraLinks(datasets);
  const { train, val, test } = data.split;
  console.log(`links: ${train.src.length} train, ${val.positives.src.length} val, ${test.positives.src.length} test`);
  const areas: number[] = [];
  const chosen = datasets === undefined ? forMadeUp : forCora;
  for (const seed of seeds) areas.push(await run(data, seed, chosen));
  const mean = areas.reduce((sum, area) => sum + area, 0) / areas.length;
  console.log(`mean test AUC of ${areas.length} seeds ${percent(mean)}`);
}

/** Trains once. @returns the area under the ROC curve of the test links against their negatives */
async function run(
  { split, features, names }: LinkData,
  seed: number,
  { epochs, batchSize, dropout }: typeof forCora,
): Promise<number> {
  const links: LinkLearning = {
    split,
    dim,
    decoder: (shape) => mlpDecoder({ ...shape, input: "hadamard", hiddenFeats: dim }),
    loss: binaryCrossEntropy(),
    negatives: uniformTail({ perLink: 1, seed, seen: split.seen }),
  };
  const trainer = await Trainer.create({
    data: { graph: split.graph, features, split: new Int8Array(split.numNodes) },
    links,
    options: {
      model: { type: "sage", options: { hiddenFeats: 2 * dim, numLayers: 2, dropout } },
      sampling: { type: "full" },
      features: { transforms: features.kind === "csr" ? ["rowNormalize"] : ["standardize"] },
      train: { seed, epochs, batchSize, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const { best, metrics } = await trainer.fit();
  const area = metrics["test/auc"] ?? 0;
  const figures = `test AUC ${percent(area)}, AP ${percent(metrics["test/ap"] ?? 0)}`;
  console.log(`seed ${seed}: best epoch ${best?.epoch}, ${figures}`);

  const { logits } = await trainer.infer();
  const { decoder } = trainer;
  if (decoder) {
    const nodes = { rows: logits, dim };
    const ranks = await rankLinks({ nodes, decoder, leftOut: split.known }, split.test.positives);
    const [mrr, hits] = [meanReciprocalRank(ranks) ?? 0, hitsAt(ranks, 10) ?? 0];
    console.log(
      `  among all ${split.numNodes} nodes, known links left out: MRR ${mrr.toFixed(3)}, Hits@10 ${percent(hits)}`,
    );
    const top = topNewLinks({ nodes, decoder, known: split.known }, Int32Array.of(0), 3);
    const found = Array.from(top.nodes, (node, i) => `${names[node]} (${top.scores[i]?.toFixed(2)})`);
    console.log(`  likeliest new neighbours of ${names[0]}: ${found.join(", ")}`);
  }
  trainer.dispose();
  return area;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const [datasets, ...seeds] = process.argv.slice(2);
await main(datasets, seeds.length > 0 ? seeds.map(Number) : [0]);
