import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Row, Tables } from "./row.ts";

const full = { type: "full", options: {} } as const;

/** Triples with the published split; what leads from a node to itself is a fact like any other. */
const triples = (name: string): Tables => ({
  name,
  files: ["edges.csv.gz"],
  spec: () => ({
    edges: { files: ["edges.csv.gz"], src: "src", dst: "dst", type: "rel", split: "split" },
    directed: true,
    selfLoops: "keep",
  }),
});

const known = { type: "linkPrediction", split: { type: "given" }, relations: "each", rankAmong: "allNodes" } as const;

/** Learned rows and a decoder, without messages: filtered MRR of both ends, ties at their mean place. */
const shallow = (
  name: string,
  data: Tables,
  atLeast: number,
  {
    decoder,
    dim,
    epochs,
    batchSize,
    lr,
    penalty,
  }: Readonly<Record<"dim" | "epochs" | "batchSize" | "lr" | "penalty", number>> & {
    readonly decoder: string;
  },
): Row => ({
  name,
  data,
  metric: "filteredMrr",
  aim: { atLeast },
  spec: {
    task: {
      ...known,
      decoder: { type: decoder },
      loss: { type: "oneVsAll" },
      dim,
      penalty: { type: "n3", weight: penalty },
    },
    features: { embedding: { dim, optimizer: { type: "sparseAdagrad", options: { lr } } } },
    model: { type: "shallow", options: {} },
    sampling: full,
    train: {
      epochs,
      batchSize,
      optimizer: { type: "adagrad", options: { lr } },
      evaluate: { everyEpochs: 5 },
      checkpoint: { everyEpochs: 100 },
    },
  },
});

const fb15k = triples("fb15k-237");
const wordNet = triples("wn18rr");

const knowledge: readonly Row[] = [
  shallow("fb15k-237-distmult", fb15k, 0.335, {
    decoder: "distMult",
    dim: 256,
    epochs: 20,
    batchSize: 512,
    lr: 0.1,
    penalty: 0.05,
  }),
  shallow("fb15k-237-complex", fb15k, 0.34, {
    decoder: "complEx",
    dim: 256,
    epochs: 20,
    batchSize: 512,
    lr: 0.1,
    penalty: 0.05,
  }),
  shallow("wn18rr-complex", wordNet, 0.46, {
    decoder: "complEx",
    dim: 256,
    epochs: 20,
    batchSize: 512,
    lr: 0.1,
    penalty: 0.1,
  }),
];

/**
 * Schlichtkrull et al. 2018 (arXiv:1703.06103), section 4: a layer over learned rows, then DistMult. They draw ten
 * negatives for each triple; here each source and relation is told from all entities.
 */
const relational: Row = {
  name: "fb15k-237-rgcn",
  data: fb15k,
  metric: "filteredMrr",
  aim: { atLeast: 0.24 },
  spec: {
    task: { ...known, decoder: { type: "distMult" }, loss: { type: "kVsAll", each: "softmax" }, dim: 200 },
    features: { embedding: { dim: 200, optimizer: { type: "sparseAdam", options: { lr: 0.01 } } } },
    model: {
      type: "rgcn",
      options: { hiddenFeats: 200, numLayers: 1, decomposition: "basis", numBases: 50, dropout: 0.3 },
    },
    sampling: full,
    train: {
      epochs: 15,
      batchSize: 4096,
      optimizer: { type: "adam", options: { lr: 0.01 } },
      evaluate: { everyEpochs: 5 },
      checkpoint: { everyEpochs: 100 },
    },
  },
};

/** Auto-encoders of the paper's settings but for the learning rate, and a decoder that is learned. */
const coraRow = (
  name: string,
  aim: number,
  {
    decoder,
    model,
    dim,
    epochs,
    dropout,
  }: {
    readonly decoder: string;
    readonly model: string;
    readonly dim: number;
    readonly epochs: number;
    readonly dropout: number;
  },
): Row => ({
  name,
  data: "cora-lp",
  metric: "auc",
  aim: { atLeast: aim },
  spec: {
    task: { type: "linkPrediction", split: { type: "given" }, decoder: { type: decoder }, dim },
    model: { type: model, options: { hiddenFeats: 2 * dim, numLayers: 2, dropout } },
    sampling: full,
    train: { epochs, batchSize: 1024, optimizer: { type: "adam", options: { lr: 0.01 } } },
  },
});

/**
 * The pairs with a table of the nodes, whose ids begin with what they are:
 * `user:7`, `item:7`.
 *
 * @param heldOut whether every tenth pair of training is held out to choose settings by
 */
async function usersAndItems(folder: string, heldOut: boolean): Promise<Record<string, string>> {
  const edges = gunzipSync(await readFile(join(folder, "edges.csv.gz"))).toString();
  const [head, ...rows] = edges.trim().split("\n");
  const ids = new Set(rows.flatMap((row) => row.split(",").slice(0, 2)));
  const sided = heldOut ? rows.map((row, i) => (i % 10 === 9 ? row.replace(/,train$/, ",val") : row)) : rows;
  return {
    [pairsFile(heldOut)]: [head, ...sided].join("\n"),
    "nodes.csv": ["id,type", ...Array.from(ids, (id) => `${id},${id.slice(0, 4)}`)].join("\n"),
  };
}

const pairsFile = (heldOut: boolean) => (heldOut ? "pairs-held-out.csv" : "pairs.csv");

const checkIns = (heldOut: boolean): Tables => ({
  name: "gowalla-lp",
  files: [],
  make: (folder) => usersAndItems(folder, heldOut),
  spec: () => ({
    edges: { files: [pairsFile(heldOut)], src: "src", dst: "dst", split: "split" },
    nodes: { files: ["nodes.csv"], id: "id", type: "type" },
  }),
});

/**
 * He et al. 2020 (arXiv:2002.02126), three hops of 64 columns. Each step has far more pairs than theirs and tells each
 * place from 8,192 others by a softmax, as Wu et al. 2022 (arXiv:2201.02327) have it, so that 65 epochs do in place of
 * a thousand. Nothing is held out to choose an epoch by: the last one is judged, as the paper's is. Loss, rate and
 * penalty were chosen on held-out pairs of the training set.
 */
const gowalla: Row = {
  name: "gowalla-lightgcn",
  data: checkIns(false),
  metric: "recall@20",
  aim: { atLeast: 0.178 },
  also: { metric: "ndcg@20", aim: { atLeast: 0.15 } },
  spec: {
    task: {
      type: "linkPrediction",
      split: { type: "given" },
      rankAmong: "unseenNodes",
      recommendTo: "user",
      decoder: { type: "dot" },
      loss: { type: "softmax" },
      negatives: { type: "shared", perLink: 8192 },
      dim: 64,
      penalty: { type: "l2", weight: 0.08 },
    },
    features: { embedding: { dim: 64, optimizer: { type: "sparseAdam", options: { lr: 0.005 } } } },
    model: { type: "lightGcn", options: { numHops: 3 } },
    sampling: full,
    train: { epochs: 65, batchSize: 32_768, evaluate: { everyEpochs: 65 }, checkpoint: { everyEpochs: 100 } },
  },
};

/** To choose settings by: the published split has nothing to choose by. */
const { also: _, ...gowallaToChoose } = {
  ...gowalla,
  name: "gowalla-held-out-lightgcn",
  data: checkIns(true),
  aim: null,
};

export const linkRows: readonly Row[] = [
  ...knowledge,
  relational,
  gowalla,
  gowallaToChoose,
  coraRow("cora-lp-gae", 0.922, { decoder: "dot", model: "gcn", dim: 64, epochs: 100, dropout: 0.3 }),
  coraRow("cora-lp-sage-mlp", 0.922, { decoder: "mlp", model: "sage", dim: 64, epochs: 40, dropout: 0.5 }),
];
