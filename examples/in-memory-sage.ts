/**
 * Trains GraphSAGE on a small citation-like graph in memory, without the service, and says how well it does.
 *
 *   main
 *   ├── citationGraph           papers of four fields that cite mostly their own field
 *   │   └── graphFromEdges      edge list → in-edge CSC
 *   ├── Trainer.create          model, sampler and optimizer from the options of a job spec
 *   ├── trainer.fit             for each epoch: NodeLoader → trainStep …, then exact evaluation, early stopping
 *   └── trainer.infer           embedding and logits of every paper, layer by layer
 *
 * Run it: node --import tsx examples/in-memory-sage.ts
 */
import {
  argMax,
  type ClassificationData,
  DenseFeatureStore,
  graphFromEdges,
  splitCode,
  Trainer,
} from "@hopwise/gnn-core";

const numPapers = 2_000;
const numFields = 4;
const numWords = 32;
const citationsPerPaper = 5;

async function main(): Promise<void> {
  const data = await citationGraph();
  const trainer = await Trainer.create({
    data,
    options: {
      model: { type: "sage", options: { hiddenFeats: 32, numLayers: 2, dropout: 0.5 } },
      sampling: { type: "neighbor", options: { fanouts: [10, 10] } },
      features: { transforms: ["standardize"] },
      train: {
        epochs: 40,
        batchSize: 64,
        optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 5e-4 } },
        earlyStopping: { metric: "val/accuracy", mode: "max", patience: 10 },
      },
    },
  });
  const { epochs, best, metrics } = await trainer.fit({
    onEvent: (event) => {
      if (event.type !== "metrics" || event.step % 5 !== 0) return;
      const { "train/loss": loss, "val/accuracy": accuracy } = event.values;
      if (loss != null && accuracy != null) {
        console.log(`epoch ${event.step}  loss ${loss.toFixed(3)}  validation ${percent(accuracy)}`);
      }
    },
  });
  console.log(`${epochs} epochs, best ${best?.epoch}: test accuracy ${percent(metrics["test/accuracy"] ?? 0)}`);

  const { embeddings, logits } = await trainer.infer();
  const field = argMax(logits, 0, numFields);
  console.log(
    `paper 0 is of field ${data.labels[0]}, predicted ${field}; embeddings: ${embeddings.length / numPapers} columns`,
  );
  trainer.dispose();
}

/**
 * Fields are the classes; a paper's words lean towards its field, its citations more so. One paper in ten is labelled.
 */
async function citationGraph(): Promise<ClassificationData> {
  const random = generator(1);
  const field = (paper: number) => paper % numFields;
  const src: number[] = [];
  const dst: number[] = [];
  for (let paper = 0; paper < numPapers; paper++) {
    for (let i = 0; i < citationsPerPaper; i++) {
      const cited = Math.floor((random() * numPapers) / numFields) * numFields;
      src.push(paper);
      dst.push(cited + (random() < 0.8 ? field(paper) : Math.floor(random() * numFields)));
    }
  }
  const words = Float32Array.from({ length: numPapers * numWords }, (_, i) => {
    const isOfField = (i % numWords) % numFields === field(Math.floor(i / numWords));
    return random() < (isOfField ? 0.2 : 0.12) ? 1 : 0;
  });
  const { train, val, test } = splitCode;
  return {
    graph: await graphFromEdges({ src, dst, numNodes: numPapers, directed: false, selfLoops: "drop" }),
    features: new DenseFeatureStore(numWords, [words]),
    labels: Int32Array.from({ length: numPapers }, (_, paper) => field(paper)),
    split: Int8Array.from({ length: numPapers }, () => (random() < 0.1 ? train : random() < 0.3 ? val : test)),
    numClasses: numFields,
  };
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

await main();
