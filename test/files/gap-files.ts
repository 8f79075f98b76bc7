import { type FileCase, lines } from "./case.ts";

const edges = lines("src,dst", "n1,n2", "n2,n3", "n3,n4");
const four = { nodes: 4, edges: 3, ids: ["n1", "n2", "n3", "n4"] } as const;
const proposed =
  /nodes\.\w+: "height" is missing in up to 2 of 4 rows\. The mean of the known values is proposed there/;
const filled = /2 values of "height" were missing: the mean, 1\.5, was taken; the column behind it is 1 there/;
const rows = [
  [1, 0],
  [1.5, 1],
  [2, 0],
  [1.5, 1],
];

/** Features that are missing in some rows. */
export const gapFileCases: readonly FileCase[] = [
  ...["", "NA", "NaN", "null", "?", "\\N"].map((word) => ({
    title: word === "" ? "empty cells among numbers" : `${word} among numbers`,
    files: { "edges.csv": edges, "nodes.csv": lines("id,height", "n1,1.0", `n2,${word}`, "n3,2.0", `n4,${word}`) },
    graph: { ...four, features: 2, rows },
    warns: [proposed],
    reports: [filled],
  })),
  {
    title: "vectors, some of which are null",
    files: {
      "edges.csv": edges,
      "nodes.jsonl": lines(
        '{"id":"n1","emb":[1.5,2]}',
        '{"id":"n2","emb":null}',
        '{"id":"n3","emb":[0.5,4]}',
        '{"id":"n4"}',
      ),
    },
    graph: {
      ...four,
      features: 3,
      rows: [
        [1.5, 2, 0],
        [1, 3, 1],
        [0.5, 4, 0],
        [1, 3, 1],
      ],
    },
    warns: [/nodes\.jsonl: "emb" is missing in up to 2 of 4 rows/],
    reports: [/2 values of "emb" were missing: the mean was taken/],
  },
  {
    title: "whole numbers with NA, which may be codes",
    files: { "edges.csv": edges, "nodes.csv": lines("id,age", "n1,41", "n2,NA", "n3,37", "n4,41") },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "age" is left out: whole numbers, which may be ids or codes, and words for what is not known/],
  },
  {
    title: "a number that is missing beyond the rows that are looked at",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines(
        "id,height",
        ...Array.from({ length: 300 }, (_, i) => `n${i + 1},${i === 250 ? "NA" : "0.5"}`),
      ),
    },
    graph: null,
    refused: /nodes\.csv, line 252: "NA" in column "height".*say in features\.missing what to take/,
  },
];
