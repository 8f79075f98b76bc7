// What a user of the package writes: reads Cora's files and trains a GCN on the whole graph.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { CsrFeatureStore, graphFromEdges, presetCalled, readNpzCsr, splitCode, Trainer } from "@hopwise/gnn-core";

const [dir] = process.argv.slice(2);
const rows = (file) =>
  gunzipSync(readFileSync(`${dir}/${file}`))
    .toString()
    .trim()
    .split("\n")
    .slice(1);
const nodes = rows("nodes.csv.gz").map((row) => row.split(",")); // id, label, label_name, split
const index = new Map(nodes.map(([id], node) => [id, node]));
const edges = rows("edges.csv.gz").map((row) => row.split(",").map((id) => index.get(id)));
const [src, dst] = [edges.map(([from]) => from), edges.map(([, to]) => to)];
const { dim, indptr, indices, data: values } = await readNpzCsr(`${dir}/features.npz`, "features.npz");
const data = {
  graph: await graphFromEdges({ src, dst, numNodes: nodes.length, directed: false }),
  features: new CsrFeatureStore(dim, [{ indptr, indices, values }]),
  labels: Int32Array.from(nodes, ([, label]) => Number(label)),
  split: Int8Array.from(nodes, ([, , , split]) => splitCode[split] ?? splitCode.none),
  numClasses: 7,
};
const trainer = await Trainer.create({ data, options: presetCalled("few-labels-gcn").spec });
const { metrics } = await trainer.fit();
console.log(JSON.stringify({ accuracy: metrics["test/accuracy"] }));
