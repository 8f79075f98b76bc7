import type { AutoSet } from "./auto-set.ts";

const numNodes = 240;
const groups = 3;

/** Three groups of nodes that link within their group, each told in one in three features: it shows that all runs. */
export const smallSet: AutoSet = {
  name: "small",
  folder: "",
  files: [],
  make: async () => ({ "nodes.csv": nodes(), "edges.csv": edges() }),
  spec: {
    edges: { files: ["edges.csv"], src: "src", dst: "dst" },
    nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { columns: ["a", "b"] } },
  },
  task: { type: "nodeClassification", target: "label" },
  metric: "accuracy",
  aim: 0.5,
  source: "a third is what guessing gets",
};

function nodes(): string {
  const rows = Array.from({ length: numNodes }, (_, node) => {
    const group = node % groups;
    const isTold = node % 7 < 3;
    const split = ["train", "val", "test"][Math.floor(node / groups) % 3];
    return `n${node},g${group},${split},${isTold ? group : 1},${node % 5}`;
  });
  return `id,label,split,a,b\n${rows.join("\n")}\n`;
}

function edges(): string {
  const rows = Array.from({ length: numNodes }, (_, node) =>
    [1, 2, 4].map((step) => `n${node},n${(node + groups * step) % numNodes}`),
  ).flat();
  return `src,dst\n${rows.join("\n")}\n`;
}
