import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { DatasetSpec } from "../../src/io/dataset-spec.ts";
import type { PreviewInfo } from "../../src/io/preview/preview-info.ts";
import { mapStep } from "../../src/steps/map.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

async function preview(contents: Record<string, string | Uint8Array>): Promise<PreviewInfo> {
  const options = mapStep.options.parse({});
  const { manifest } = await runStep(mapStep, { files: await filesArtifact(contents) }, options);
  return manifest.info as PreviewInfo;
}

const edges = "source,target,weight\na,b,0.5\nb,c,1\n";
const nodes = "node_id,year,class,fold,x1,score\na,1999,cs,train,1,0.5\nb,2000,,test,2,1.5\nc,2001,bio,,3,2\n";

describe("the preview", () => {
  it("shows columns with what their values look like, and the rows as written", async () => {
    const { files } = await preview({ "e.csv": edges, "n.csv": nodes });
    expect(files[1]).toMatchObject({
      name: "n.csv",
      reader: "csv",
      numRowsSampled: 3,
      columns: [
        { name: "node_id", type: "text", role: "id" },
        { name: "year", type: "int64", role: "none" },
        { name: "class", type: "text", role: "label" },
        { name: "fold", type: "text", role: "split" },
        { name: "x1", type: "int64", role: "feature" },
        { name: "score", type: "double", role: "feature" },
      ],
      rows: [
        ["a", "1999", "cs", "train", "1", "0.5"],
        ["b", "2000", "", "test", "2", "1.5"],
        ["c", "2001", "bio", "", "3", "2"],
      ],
    });
  });

  it("proposes a spec that the ingest step takes", async () => {
    const { proposed, warnings } = await preview({ "e.csv": edges, "n.csv": nodes });
    expect(proposed).toMatchObject({
      version: 1,
      edges: { files: ["e.csv"], src: "source", dst: "target", weight: "weight" },
      nodes: { files: ["n.csv"], id: "node_id", label: "class", split: "fold", features: { columns: ["x1", "score"] } },
    });
    expect(warnings).toEqual([
      'n.csv: "year" is left out: whole numbers, which may be ids, years or codes; choose “feature” to learn from them.',
    ]);
  });

  it("takes when edges came to be, as numbers and as dates, and says of dates without such a name what they may be", async () => {
    const timed = (name: string, values: readonly string[]) =>
      preview({ "edges.csv": `src,dst,${name}\n${values.map((value, i) => `${i},${i + 1},${value}`).join("\n")}\n` });
    const dates = ["2024-05-31", "2024-06-01 10:20", "2024-06-01T10:20:00+02:00"];
    const timeIn = ({ proposed }: PreviewInfo) => (proposed as DatasetSpec | null)?.edges?.time;
    for (const told of [await timed("created_at", dates), await timed("timestamp", ["17", "12.5", "3"])]) {
      expect(timeIn(told)).toBe(told.files[0]?.columns[2]?.name);
      expect(told.files[0]?.columns[2]?.role).toBe("time");
      expect(told.warnings).toEqual([]);
    }
    const unnamed = await timed("paid", dates);
    expect(timeIn(unnamed)).toBeNull();
    expect(unnamed.warnings).toEqual([
      'edges.csv: "paid" is left out: dates; choose “time” where they say when each edge came to be.',
    ]);
    for (const wrong of ["2024-02-30", "", "soon"]) {
      expect(timeIn(await timed("date", [...dates, wrong]))).toBeNull();
    }
    const two = await preview({ "a_edges.csv": `src,dst,time\n0,1,5\n1,2,6\n`, "b_edges.csv": "src,dst\n2,3\n3,4\n" });
    expect(two.proposed).toMatchObject({ edges: { files: ["a_edges.csv", "b_edges.csv"], time: null } });
  });

  it("takes a split of the edges, and one that is not called so for none", async () => {
    const triples = "head,relation,tail,split\na,likes,b,train\nb,likes,c,valid\nc,knows,a,test\n";
    const told = await preview({ "facts.csv": triples });
    expect(told.proposed).toMatchObject({ edges: { src: "head", dst: "tail", type: "relation", split: "split" } });
    expect(told.warnings).toEqual([]);
    const unnamed = await preview({ "facts.csv": triples.replace("split", "part_of") });
    expect(unnamed.proposed).toMatchObject({ edges: { split: null } });
    expect(unnamed.warnings).toEqual(['facts.csv: "part_of" is left out: a split; choose “split” to go by it.']);
    const wrong = await preview({ "facts.csv": triples.replace("valid", "later") });
    expect(wrong.proposed).toMatchObject({ edges: { split: null } });
  });

  it("says of a text that goes one to one with the classes that it names them, and of another text that it does not", async () => {
    const rows = ["a,0,cats,red", "b,1,dogs,red", "c,0,cats,blue", "d,1,dogs,blue"];
    const labelled = ["node,label,label_name,colour", ...rows].join("\n");
    const { proposed, warnings } = await preview({ "e.csv": "src,dst\na,b\nc,d\n", "n.csv": labelled });
    expect(proposed).toMatchObject({ nodes: { label: "label" } });
    expect(warnings).toEqual([
      'n.csv: "label_name" is left out: it names the classes of "label"; give it the role of the label instead to see the names.',
      'n.csv: "colour" is left out: text, which models do not read; write it as numbers to learn from it.',
    ]);
  });

  it("knows edge lists without a header, several files of one kind, and matrices", async () => {
    const { proposed, files } = await preview({
      "edges-1.txt": "# SNAP\n1 2\n",
      "edges-2.txt": "3 4\n",
      "nodes.tsv": "id\tlabel\n1\tx\n",
      "features.npz": new Uint8Array([0x50, 0x4b]),
    });
    expect(proposed).toMatchObject({
      edges: { files: ["edges-1.txt", "edges-2.txt"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.tsv"], id: "id", features: { file: "features.npz" } },
    });
    expect(files.map(({ reader }) => reader)).toEqual(["edge-list", "edge-list", "csv", "npz"]);
  });

  it("proposes a file for each type where files are called after types, and the relations between them", async () => {
    const { proposed, warnings, files } = await preview({
      "papers.csv": "id,author,label,split,a\n0,9,x,train,1.5\n1,8,y,val,0.5\n2,8,,none,2.5\n",
      "authors.csv": "id,age\n0,30.5\n1,40.5\n",
      "venues.csv": "key\nv1\nv2\n",
      "writes.csv": "author,paper,share\n0,0,0.5\n1,0,2\n1,2,1\n",
      "edges_paper_about_venue.csv.gz": gzipSync("src,dst\n0,v1\n1,v2\n"),
      "cites.csv": "from,to\n1,0\n2,2\n",
      "follows.csv": "from,to\n1,0\n0,1\n",
      "features_author.npz": new Uint8Array([0x50, 0x4b]),
    });
    expect(proposed).toMatchObject({
      edges: null,
      nodes: null,
      nodeTypes: {
        papers: { files: ["papers.csv"], id: "id", label: "label", split: "split", features: { columns: ["a"] } },
        authors: { files: ["authors.csv"], id: "id", label: null, features: { file: "features_author.npz" } },
        venues: { files: ["venues.csv"], id: "key", features: null },
      },
      relations: expect.arrayContaining([
        expect.objectContaining({ source: "authors", name: "writes", target: "papers", src: "author", dst: "paper" }),
        expect.objectContaining({ source: "papers", name: "about", target: "venues", src: "src", dst: "dst" }),
        expect.objectContaining({ source: "papers", name: "cites", target: "papers", src: "from", dst: "to" }),
      ]),
    });
    expect(files.find(({ name }) => name === "writes.csv")?.columns.map(({ role }) => role)).toEqual([
      "src",
      "dst",
      "none",
    ]);
    // Authors and papers are numbered alike, so that nothing says who follows whom.
    expect(warnings).toContain(
      "follows.csv is left out: which types of nodes it is about, or joins, cannot be told. Choose them.",
    );
  });

  it("shows of each file its own columns and rows, whatever is joined to it, and each piece of a joined table", async () => {
    const columnsOf = ({ files }: PreviewInfo) =>
      Object.fromEntries(files.map((file) => [file.name, file.columns.map(({ name, role }) => `${name}: ${role}`)]));
    const typed = await preview({
      "users.csv": "user,score\nu1,0.5\nu2,1.5\n",
      "user_labels.csv": "user,label\nu2,x\nu1,y\n",
      "movies.csv": "movie,stars\nm1,1.5\nm2,2.5\n",
      "rates.csv": "user,movie\nu1,m1\nu2,m2\n",
    });
    expect(columnsOf(typed)).toEqual({
      "users.csv": ["user: id", "score: feature"],
      "user_labels.csv": ["user: id", "label: label"],
      "movies.csv": ["movie: id", "stars: feature"],
      "rates.csv": ["user: src", "movie: dst"],
    });
    const pieces = await preview({
      "e.csv": "src,dst\n1,2\n2,3\n",
      "nodes.csv": "id,x\n1,0.5\n2,1.5\n3,2.5\n",
      "labels_a.csv": "id,label\n1,x\n",
      "labels_b.csv": "id,label\n2,y\n3,x\n",
    });
    expect(columnsOf(pieces)).toMatchObject({
      "labels_a.csv": ["id: id", "label: label"],
      "labels_b.csv": ["id: id", "label: label"],
    });
    expect(pieces.files.find(({ name }) => name === "labels_b.csv")?.rows).toEqual([
      ["2", "y"],
      ["3", "x"],
    ]);
  });

  it("takes several files of one kind for one table, whatever they are called", async () => {
    const { proposed } = await preview({
      "nodes_train.csv": "id,label\n1,x\n2,y\n",
      "nodes_test.csv": "id,label\n3,x\n4,y\n",
      "edges.csv": "src,dst\n1,3\n2,4\n3,1\n",
    });
    expect(proposed).toMatchObject({ nodes: { files: ["nodes_train.csv", "nodes_test.csv"] }, nodeTypes: null });
  });

  it("proposes nothing when no file looks like edges, and says what it leaves out", async () => {
    const { proposed, warnings, files } = await preview({
      "things.csv": "height,width\n1,2\n1,3\n",
      "notes.pdf": "%PDF",
    });
    expect(proposed).toBeNull();
    expect(warnings[0]).toMatch(/No file looks like edges/);
    expect(warnings).toContain("notes.pdf is a PDF document. It is not used.");
    expect(files[1]).toMatchObject({ reader: null, columns: [], rows: [] });
  });

  it("samples at most a hundred rows", async () => {
    const { files } = await preview({ "edges.csv": `src,dst\n${"1,2\n".repeat(5000)}` });
    expect(files[0]?.numRowsSampled).toBe(100);
  });

  it("shows a file that cannot be read with its problem, beside the others", async () => {
    const { files, proposed, warnings } = await preview({ "damaged.csv": Buffer.from([1, 0, 2, 0]), "e.csv": edges });
    expect(files[0]?.problem).toMatchObject({
      code: "DATASET_FORMAT_INVALID",
      detail: /damaged\.csv is not a text file/,
    });
    expect(warnings[0]).toMatch(/damaged\.csv/);
    expect(proposed).toMatchObject({ edges: { files: ["e.csv"] } });
  });

  it("reads a file as somebody has chosen, and proposes that reader with its options", async () => {
    const files = await filesArtifact({ "edges.csv": "a,b\nc,d\n" });
    const readers = { "edges.csv": { type: "csv", options: { header: false } } };
    const { manifest } = await runStep(mapStep, { files }, { readers });
    const { proposed, files: shown } = manifest.info as PreviewInfo;
    expect(shown[0]).toMatchObject({ numRowsSampled: 2, options: { header: false, delimiter: "," } });
    expect(proposed).toMatchObject({ edges: { src: "column1", reader: readers["edges.csv"] } });
  });
});
