import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TrainerOptions } from "../../packages/gnn-core/src/index.ts";
import type { Row, Tables } from "./row.ts";

const full = { type: "full", options: {} } as const;
const task = { target: "label" } as const;
type Model = NonNullable<TrainerOptions["model"]>;

/** Papers, authors and subjects with HeCo's splits: so many labels a class. */
const acm = (labels: 20 | 40 | 60): Tables => ({
  name: "acm-hetero",
  files: [
    ...["paper", "author", "subject"].map((type) => `nodes_${type}.csv.gz`),
    "features_paper.npz",
    "features_author.npz",
    "edges_paper_author.csv.gz",
    "edges_paper_subject.csv.gz",
  ],
  spec: () => ({
    nodeTypes: {
      paper: {
        files: ["nodes_paper.csv.gz"],
        id: "id",
        label: "label",
        split: `split_${labels}`,
        features: { file: "features_paper.npz" },
      },
      author: { files: ["nodes_author.csv.gz"], id: "id", features: { file: "features_author.npz" } },
      subject: { files: ["nodes_subject.csv.gz"], id: "id" },
    },
    relations: ["author", "subject"].map((target) => ({
      source: "paper",
      name: `has_${target}`,
      target,
      files: [`edges_paper_${target}.csv.gz`],
      src: "src",
      dst: "dst",
    })),
  }),
});

const fewLabels = (weightDecay: number): TrainerOptions["train"] => ({
  epochs: 60,
  batchSize: 256,
  optimizer: { type: "adam", options: { lr: 0.005, weightDecay } },
});

/** Dropout and penalty of each model were chosen by the validation nodes of the 20 labels, seeds 0 to 2. */
const typedModels = {
  rsage: { model: { type: "rsage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.7 } }, weightDecay: 2e-4 },
  hgt: { model: { type: "hgt", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.8 } }, weightDecay: 2e-4 },
  "simple-hgn": {
    model: { type: "simpleHgn", options: { hiddenFeats: 64, numLayers: 2, normalizeOutput: true } },
    weightDecay: 1e-3,
  },
} as const satisfies Record<string, { model: Model; weightDecay: number }>;

/** Aims: logistic regression on words that are averaged over paper–author–paper (README of the data set). */
const acmAims = { 20: 0.904, 40: 0.891, 60: 0.883 } as const;

const acmRows = ([20, 40, 60] as const).flatMap((labels) =>
  Object.entries(typedModels).map(
    ([name, { model, weightDecay }]): Row => ({
      name: `acm-${labels}-${name}`,
      data: acm(labels),
      metric: "macroF1",
      aim: { atLeast: acmAims[labels] },
      spec: { task, model, sampling: full, train: fewLabels(weightDecay) },
    }),
  ),
);

/** Movies, directors and actors in one table, as Yun et al. 2019 (arXiv:1911.06455) split them. */
const imdb: Tables = {
  name: "imdb-hetero",
  files: ["nodes.csv.gz", "edges.csv.gz", "features.npz"],
  spec: () => ({
    edges: { files: ["edges.csv.gz"], src: "src", dst: "dst", type: "rel", reverseTypes: true },
    nodes: {
      files: ["nodes.csv.gz"],
      id: "id",
      type: "type",
      label: "label",
      split: "split",
      features: { file: "features.npz" },
    },
  }),
};

const imdbRows = (
  [
    ["rgcn", { dropout: 0.6, inputDropout: 0 }, 0.02, { atLeast: 0.5689 }],
    ["simpleHgn", { dropout: 0.8, normalizeOutput: true }, 1e-3, { within: 0, of: "imdb-rgcn" }],
  ] as const
).map(
  ([type, options, weightDecay, aim]): Row => ({
    name: `imdb-${type.toLowerCase()}`,
    data: imdb,
    metric: "macroF1",
    aim,
    spec: {
      task,
      model: { type, options: { hiddenFeats: 64, numLayers: 2, ...options } },
      sampling: full,
      train: fewLabels(weightDecay),
    },
  }),
);

/** Every fifth training entity chooses the epoch, as a fifth does in Schlichtkrull et al. 2018. */
async function mutagenicEntities(folder: string): Promise<Record<string, string>> {
  const rowsOf = async (file: string) => (await readFile(join(folder, file), "utf8")).trim().split("\n").slice(1);
  const row = (line: string, split: string) => `${line.split("\t").slice(0, 2).join("\t")}\t${split}`;
  const train = (await rowsOf("train.tsv")).map((line, i) => row(line, i % 5 === 4 ? "val" : "train"));
  const test = (await rowsOf("test.tsv")).map((line) => row(line, "test"));
  return { "entities.tsv": `${["entity\tlabel\tsplit", ...train, ...test].join("\n")}\n` };
}

const mutag: Tables = {
  name: "mutag-rdf",
  files: ["triples.tsv.gz"],
  make: mutagenicEntities,
  spec: () => ({
    edges: { files: ["triples.tsv.gz"], src: "subject", dst: "object", type: "predicate", reverseTypes: true },
    nodes: { files: ["entities.tsv"], id: "entity", label: "label", split: "split" },
    missingNodes: "add",
  }),
};

/**
 * Schlichtkrull et al. 2018 (arXiv:1703.06103), 73.23 ± 0.48: 16 hidden units, 30 bases. Their entities have a column
 * each; here, random projections of their neighbourhood, which validation prefers to learned rows (75.9; 73.5).
 */
const mutagRow: Row = {
  name: "mutag-rdf-rgcn",
  data: mutag,
  metric: "accuracy",
  aim: { atLeast: 0.7275 },
  spec: {
    task,
    model: {
      type: "rgcn",
      options: { hiddenFeats: 16, numLayers: 2, decomposition: "basis", numBases: 30, dropout: 0.3 },
    },
    features: { structural: { method: "projection", dim: 32, hops: 2 }, transforms: ["standardize"] },
    sampling: full,
    train: { epochs: 60, batchSize: 1024, optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 5e-4 } } },
  },
};

export const typedRows: readonly Row[] = [...acmRows, ...imdbRows, mutagRow];
