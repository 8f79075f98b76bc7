import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { publishedDatasets } from "../../apps/api/src/imports/published/published-datasets.ts";
import { datasetSpec } from "../../packages/gnn-core/src/io/dataset-spec.ts";
import type { GraphInfo } from "../../packages/gnn-core/src/io/ingest/ingest-report.ts";
import type { PreviewInfo } from "../../packages/gnn-core/src/io/preview/preview-info.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { mapStep } from "../../packages/gnn-core/src/steps/map.step.ts";
import { filesArtifact, runStep } from "../../packages/gnn-core/test/support/run-step.ts";
import { lines } from "./case.ts";
import { wholeOgb } from "./ogb-files.ts";

type Files = Record<string, Uint8Array>;

const bytesOf = (texts: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]));

/** The eight files, as Python 2 wrote the published ones. */
function planetoid(name: string): Files {
  const zip = unzipSync(readFileSync(new URL("../fixtures/planetoid/toy-py2.zip", import.meta.url)));
  return Object.fromEntries(
    Object.entries(zip).map(([path, bytes]) => [path.replace("data/ind.toy", `ind.${name}`), bytes]),
  );
}

/** OGB's archive of a graph; with tables of the publisher's own names, as it is published, or without. */
function ogb(folder: string, split: string, hasNames: boolean): Files {
  const packed = {
    "raw/edge": lines("0,1", "1,2", "2,3"),
    "raw/num-node-list": "5\n",
    "raw/num-edge-list": "3\n",
    "raw/node-feat": lines("0.5,1", "0,2", "1,-3e-1", "0,4", "7,8"),
    "raw/node-label": lines("1", "0", "1", "2", "0"),
    ...(hasNames && {
      "mapping/labelidx2category": lines("label idx,category", "0,a", "1,b", "2,c"),
      "mapping/nodeidx2id": lines("node idx,id", "0,200971", "1,200972"),
    }),
    [`split/${split}/train`]: lines("0", "4"),
    [`split/${split}/valid`]: "1\n",
    [`split/${split}/test`]: "2\n",
  };
  const entries = Object.entries(packed).map(([name, text]) => [`${folder}/${name}.csv.gz`, gzipSync(text)]);
  const more = bytesOf({ [`${folder}/mapping/README.md`]: "# What the columns mean\n\nTwo tables.\n" });
  return { [`${folder}.zip`]: zipSync({ ...Object.fromEntries(entries), ...more }) };
}

/** An archive of the TU Dortmund collection with two graphs. */
function tu(title: string, more: Readonly<Record<string, string>> = {}): Files {
  const parts: Readonly<Record<string, string>> = {
    A: lines("1, 2", "2, 1", "2, 3", "3, 2", "4, 5", "5, 4"),
    graph_indicator: lines("1", "1", "1", "2", "2"),
    graph_labels: lines("1", "-1"),
    node_labels: lines("0", "1", "0", "2", "0"),
    ...more,
  };
  const entries = Object.entries(parts).map(([part, text]) => [`${title}/${title}_${part}.txt`, text]);
  return {
    [`${title}.zip`]: zipSync(bytesOf({ ...Object.fromEntries(entries), [`${title}/README.txt`]: "About it" })),
  };
}

/** OGB's archive of numpy's arrays. */
function papers(): Files {
  const { "train.csv": train, "valid.csv": valid, "test.csv": test, ...arrays } = wholeOgb.binary;
  const packed: Files = {};
  for (const [name, bytes] of Object.entries(arrays)) packed[`papers100M-bin/raw/${name}`] = bytes;
  for (const [part, text] of Object.entries({ train, valid, test }))
    packed[`papers100M-bin/split/time/${part}.csv.gz`] = gzipSync(text);
  return { "papers100M-bin.zip": zipSync(packed) };
}

/** OGB's archive of a typed graph. */
function mag(): Files {
  const texts = {
    "raw/num-node-dict": lines("author,field_of_study,institution,paper", "2,1,1,3"),
    "raw/relations/author___affiliated_with___institution/edge": lines("0,0", "1,0"),
    "raw/relations/author___affiliated_with___institution/edge_reltype": lines("0", "0"),
    "raw/relations/author___writes___paper/edge": lines("0,0", "1,1"),
    "raw/relations/paper___cites___paper/edge": lines("0,1", "2,1"),
    "raw/relations/paper___has_topic___field_of_study/edge": lines("0,0", "1,0"),
    "raw/node-feat/paper/node-feat": lines("0.5,1", "2,3", "4,5"),
    "raw/node-feat/paper/node_year": lines("2015", "2018", "2019"),
    "raw/node-label/paper/node-label": lines("246", "131", "246"),
    "split/time/paper/train": "0\n",
    "split/time/paper/valid": "1\n",
    "split/time/paper/test": "2\n",
  };
  const packed = Object.entries(texts).map(([name, text]) => [`mag/${name}.csv.gz`, gzipSync(text)]);
  return { "mag.zip": zipSync(Object.fromEntries(packed)) };
}

/** Arrays of sparse matrices, as numpy and scipy wrote the published ones. */
function shchur(name: string) {
  const bytes = readFileSync(new URL("../fixtures/numpy/shchur.npz", import.meta.url));
  return { files: { [name]: new Uint8Array(bytes) }, info: { numNodes: 4, numEdges: 6, classes: ["0", "1"] } };
}

/** Two archives in one, as DGL's server has them. */
function reddit(): Files {
  const names = ["reddit_graph.npz", "reddit_data.npz"];
  const read = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/numpy/${name}`, import.meta.url)));
  return { "reddit.zip": zipSync(Object.fromEntries(names.map((name) => [name, read(name)]))) };
}

/** Heads, relations and tails of made-up facts. */
function facts(count: number, step: number): string {
  const row = (i: number) => `/m/0${i % 40}\t/film/film/genre${i % 3}\t/m/0${(i * step + 1) % 40}`;
  return lines(...Array.from({ length: count }, (_, i) => row(i)));
}

/** What lies at the public addresses, made small: names, packing and columns are those of the publishers. */
const layouts: Readonly<
  Record<string, { readonly files: Files; readonly bare?: Files; readonly info: Partial<GraphInfo> }>
> = {
  ...Object.fromEntries(
    ["cora", "citeseer", "pubmed"].map((name) => [
      name,
      { files: planetoid(name), info: { numNodes: 14, splits: { train: 3, val: 6, test: 4, none: 1 } } },
    ]),
  ),
  "ogbn-arxiv": {
    files: ogb("arxiv", "time", true),
    bare: ogb("arxiv", "time", false),
    info: { numNodes: 5, numEdges: 6, classes: ["0", "1", "2"], splits: { train: 2, val: 1, test: 1, none: 1 } },
  },
  "ogbn-products": {
    files: ogb("products", "sales_ranking", true),
    bare: ogb("products", "sales_ranking", false),
    info: { numNodes: 5, numEdges: 6, splits: { train: 2, val: 1, test: 1, none: 1 } },
  },
  "ogbn-papers100M": {
    files: papers(),
    info: { numNodes: 4, numEdges: 6, classes: ["3", "12"], splits: { train: 1, val: 1, test: 1, none: 1 } },
  },
  "ogbn-mag": {
    files: mag(),
    info: { numNodes: 7, numEdges: 2 * 8, nodeTypes: ["author", "field_of_study", "institution", "paper"] },
  },
  "amazon-photo": shchur("amazon_electronics_photo.npz"),
  "amazon-computers": shchur("amazon_electronics_computers.npz"),
  "coauthor-cs": shchur("ms_academic_cs.npz"),
  "coauthor-physics": shchur("ms_academic_phy.npz"),
  reddit: {
    files: reddit(),
    info: { numNodes: 4, numEdges: 6, classes: ["0", "1"], splits: { train: 2, val: 1, test: 1, none: 0 } },
  },
  mutag: {
    files: tu("MUTAG", { edge_labels: lines("0", "0", "1", "1", "0", "0") }),
    info: { numNodes: 5, numEdges: 6, edgeTypes: ["0", "1"] },
  },
  proteins: { files: tu("PROTEINS", { node_attributes: lines("1.5", "2", "3", "4", "5") }), info: { numNodes: 5 } },
  nci1: { files: tu("NCI1"), info: { numNodes: 5 } },
  "fb15k-237": {
    files: bytesOf({ "train.txt": facts(60, 7), "valid.txt": facts(12, 11), "test.txt": facts(12, 13) }),
    info: { numNodes: 40, edgeTypes: ["/film/film/genre0", "/film/film/genre1", "/film/film/genre2"] },
  },
  gowalla: {
    files: { "loc-gowalla_edges.txt.gz": gzipSync(lines("0\t1", "0\t2", "1\t0", "2\t0", "2\t3")) },
    info: { numNodes: 4 },
  },
};

describe("published data sets", () => {
  it.each(publishedDatasets)("$name is read as its entry says, which is what the readers propose", async (entry) => {
    const layout = layouts[entry.name];
    expect(Object.keys(layout?.files ?? {}).toSorted()).toEqual(entry.files.map(({ name }) => name).toSorted());
    const files = await filesArtifact(layout?.files ?? {});
    const spec = datasetSpec.parse(entry.spec);
    const bare = await filesArtifact(layout?.bare ?? layout?.files ?? {});
    const map = await runStep(mapStep, { files: bare }, mapStep.options.parse({}));
    expect(spec).toEqual((map.manifest.info as PreviewInfo).proposed);
    const built = await runStep(ingestStep, { files }, spec);
    expect(built.manifest.info).toMatchObject(layout?.info ?? {});
  });

  it("lie at addresses that are fetched from: https, and files of one name each", () => {
    expect(new Set(publishedDatasets.map(({ name }) => name)).size).toBe(publishedDatasets.length);
    for (const { files } of publishedDatasets) {
      expect(files.every(({ url }) => url.startsWith("https://"))).toBe(true);
      expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
    }
  });
});
