import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { plantedEdges } from "../../packages/gnn-core/test/edges/support/planted-edges.ts";
import { ringTables } from "../../packages/gnn-core/test/whole-graphs/support/rings.ts";
import { writeChaosGraph } from "./graph.ts";

/** What a struck job learns, and from which files. */
export interface ChaosTask {
  /** Writes the files once. @returns their paths */
  readonly files: (dir: string, trainNodes: number) => Promise<readonly string[]>;
  /** Left out: the proposed one */
  readonly mapping?: object;
  /** The sections of the spec beside dataset, project and resources */
  readonly sections: Record<string, unknown> & { readonly train: Record<string, unknown> };
  /** At least so many steps has an epoch; left out: they follow from the training nodes */
  readonly steps?: number;
}

export const batchSize = 512;
export const epochs = 3;

const sage = { type: "sage", options: { hiddenFeats: 16 } };
const neighbor = { type: "neighbor", options: { fanouts: [10, 5] } };

/** Dropout is on wherever a model has some, so that randomness is struck too. */
export const chaosTasks = {
  nodes: {
    files: writeChaosGraph,
    sections: { task: { target: "label" }, model: sage, sampling: neighbor, train: { epochs, batchSize } },
  },
  links: {
    files: writeChaosGraph,
    sections: {
      task: { type: "linkPrediction", dim: 16 },
      model: sage,
      sampling: neighbor,
      train: { epochs, batchSize: 2048 },
    },
    steps: 5,
  },
  typedNodes: {
    files: writeTypedGraph,
    sections: {
      task: { target: "label" },
      model: { type: "rsage", options: { hiddenFeats: 16 } },
      sampling: neighbor,
      train: { epochs, batchSize },
    },
  },
  edges: {
    files: async (dir) => {
      const { edges, nodes } = plantedEdges();
      return writeTables(dir, { "edges.csv": edges, "nodes.csv": nodes });
    },
    mapping: {
      edges: { files: ["edges.csv"], src: "from", dst: "to", features: ["amount"], label: "kind" },
      nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["x", "y"] } },
      directed: true,
    },
    sections: {
      task: { type: "edgeClassification", target: "kind", dim: 16, split: { type: "random", val: 0.15, test: 0.25 } },
      model: sage,
      sampling: neighbor,
      train: { epochs, batchSize: 32 },
    },
    steps: 4,
  },
  graphs: {
    files: async (dir) => writeTables(dir, ringTables(240)),
    mapping: {
      edges: { files: ["edges.csv"], src: "src", dst: "dst", graph: "graph" },
      nodes: { files: ["nodes.csv"], id: "node", graph: "graph", features: { columns: [], oneHot: ["kind"] } },
      graphs: { files: ["graphs.csv"], id: "graph", label: "class", fold: "fold" },
    },
    sections: {
      task: { type: "graphClassification", target: "class", dim: 16, testFold: "0" },
      model: { type: "gin", options: { hiddenFeats: 16, numLayers: 2 } },
      sampling: { type: "full" },
      train: { epochs, batchSize: 16 },
    },
    steps: 5,
  },
  views: {
    files: writeChaosGraph,
    sections: {
      task: { type: "deepGraphInfomax", dim: 16 },
      model: { type: "gcn", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.2 } },
      sampling: neighbor,
      train: { epochs, batchSize: 1024 },
    },
    steps: 5,
  },
  walks: {
    files: writeChaosGraph,
    sections: {
      task: { type: "node2vec", dim: 16, walkLength: 5, walksPerNode: 1, window: 2 },
      model: { type: "shallow" },
      features: { embedding: { dim: 16 } },
      train: { epochs, batchSize: 1024 },
    },
    steps: 5,
  },
} as const satisfies Record<string, ChaosTask>;
export type ChaosTaskName = keyof typeof chaosTasks;

/** With a column of types of edges, of which the model has weights each. */
async function writeTypedGraph(dir: string, trainNodes: number): Promise<readonly string[]> {
  const [edgesFile, nodesFile] = await writeChaosGraph(dir, trainNodes);
  const typed = join(dir, `typed-${basename(edgesFile)}`);
  if (existsSync(typed)) return [typed, nodesFile];
  const [head = "", ...rows] = readFileSync(edgesFile, "utf8").trimEnd().split("\n");
  const lines = rows.map((row, i) => `${row},${i % 3 === 0 ? "extends" : "cites"}`);
  writeFileSync(typed, `${[`${head},relation`, ...lines].join("\n")}\n`);
  return [typed, nodesFile];
}

function writeTables(dir: string, tables: Record<string, string>): readonly string[] {
  mkdirSync(dir, { recursive: true });
  return Object.entries(tables).map(([name, text]) => {
    const path = join(dir, name);
    writeFileSync(path, text);
    return path;
  });
}
