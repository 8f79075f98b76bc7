import { type FileCase, lines } from "./case.ts";

const edges = lines("src,dst", "n1,n2", "n2,n3", "n3,n4");
const four = { nodes: 4, edges: 3, ids: ["n1", "n2", "n3", "n4"] } as const;
const names = ["n1", "n2", "n3", "n4"];

/** A table of the four nodes with further columns: `columns` name them, `cells` hold them row by row. */
function nodes(columns: string, cells: readonly string[], delimiter = ","): string {
  const rows = names.map((name, i) => (cells[i] === undefined ? name : `${name}${delimiter}${cells[i]}`));
  return lines(`id${delimiter}${columns}`, ...rows);
}

/** `count` nodes in a ring, each with a cell. */
function ring(count: number, header: string, cell: (i: number) => string) {
  const all = Array.from({ length: count }, (_, i) => i);
  return {
    "edges.csv": lines("Source,Target", ...all.map((i) => `${i},${(i + 1) % count}`)),
    "nodes.csv": lines(header, ...all.map((i) => `${i},${cell(i)}`)),
  };
}

/** What the nodes' table says. */
export const nodeFileCases: readonly FileCase[] = [
  {
    title: "ids and labels",
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["a", "b", "a", "b"]) },
    graph: { ...four, classes: ["a", "b"], unlabelled: 0 },
  },
  {
    title: "a blank line before the header of the nodes",
    files: { "edges.csv": edges, "nodes.csv": `\n${nodes("label", ["a", "b", "a", "b"])}` },
    graph: { ...four, classes: ["a", "b"] },
  },
  {
    title: "nodes between tabs in a text file",
    files: { "edges.txt": edges, "nodes.txt": nodes("label", ["a", "b", "a", "b"], "\t") },
    graph: { ...four, classes: ["a", "b"] },
  },
  {
    title: "nodes without a header",
    files: { "edges.csv": edges, "nodes.csv": lines("n1,0.5", "n2,0.25", "n3,1.5", "n4,2") },
    graph: { ...four, features: 1 },
  },
  {
    title: "empty labels",
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["a", "", "b", ""]) },
    graph: { ...four, classes: ["a", "b"], unlabelled: 2 },
  },
  ...["nan", "NaN", "NA", "N/A", "None", "null", "NULL", "<NA>"].map((word) => ({
    title: `labels that are ${word}`,
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["a", word, "b", word]) },
    graph: { ...four, classes: ["a", "b"], unlabelled: 2 },
    reports: [new RegExp(`2 labels ${JSON.stringify(word)} in "label" .*not known`)],
  })),
  {
    title: "labels -1 beside classes from 0",
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["0", "-1", "1", "-1"]) },
    graph: { ...four, classes: ["0", "1"], unlabelled: 2 },
    warns: [/nodes\.csv: the label -1 in "label" is read as "not known"/],
  },
  {
    title: "labels with blanks around them",
    files: {
      "edges.csv": edges,
      "nodes.csv": nodes("label", ["liberal", "liberal ", " conservative", "conservative"]),
    },
    graph: { ...four, classes: ["conservative", "liberal"] },
  },
  {
    title: "labels that are one number in two forms",
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["1.0", "0", "1", "0"]) },
    graph: { ...four, classes: ["0", "1", "1.0"] },
    reports: [/In "label", the classes "1", "1\.0" are one number/],
  },
  {
    title: "labels that differ only in capitals",
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["liberal", "LIBERAL", "green", "green"]) },
    graph: { ...four, classes: ["LIBERAL", "green", "liberal"] },
    reports: [/"label".*"LIBERAL", "liberal" differ only in capitals/],
  },
  {
    title: "labels that pandas wrote as numbers with decimals, since some are missing",
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["0.0", "1.0", "", "1.0"]) },
    graph: { ...four, classes: ["0", "1"], unlabelled: 1, targets: [] },
  },
  {
    title: "numbers to predict",
    files: { "edges.csv": edges, "nodes.csv": nodes("target", ["0.5", "1.25", "", "3"]) },
    graph: { ...four, targets: ["target"] },
  },
  {
    title: "several labels in a cell",
    files: { "edges.csv": edges, "nodes.csv": nodes("label", ["a|b", "b", "a", ""]) },
    graph: { ...four, classes: ["a", "b"] },
  },
  {
    title: "Gephi's Id and Label, which is a name",
    files: ring(12, "Id,Label", (i) => `person ${i}`),
    graph: { nodes: 12, edges: 12, classes: [] },
    warns: [/nodes\.csv: "Label" holds another text in nearly every row: names, not classes/],
  },
  {
    title: "Gephi's Id and Label beside a class",
    files: ring(12, "Id,Label,modularity_class,category", (i) => `person ${i},${i % 3},${i % 2 ? "odd" : "even"}`),
    graph: { nodes: 12, edges: 12, classes: [] },
    warns: [/"Label" holds another text/, /nodes\.csv: "modularity_class" is left out: whole numbers/],
  },
  {
    title: "a label of whole numbers that differ in every row",
    files: ring(12, "id,y", (i) => String(100 + 7 * i)),
    graph: { nodes: 12, edges: 12, classes: [], targets: ["y"] },
    warns: [/nodes\.csv: "y" holds another number in nearly every row, so it is proposed as a number to predict/],
  },
  ...(
    [
      ["train, val and test", ["train", "val", "test", "train"], [2, 1, 1]],
      ["capitals", ["Train", "VAL", "Test", "TRAIN"], [2, 1, 1]],
      ["training, dev and testing", ["training", "dev", "testing", "training"], [2, 1, 1]],
      ["validation", ["train", "validation", "test", ""], [1, 1, 1]],
      ["valid", ["train", "valid", "test", "none"], [1, 1, 1]],
      ["development", ["train", "development", "test", "unused"], [1, 1, 1]],
    ] as const
  ).map(([title, cells, split]) => ({
    title: `a split of ${title}`,
    files: { "edges.csv": edges, "nodes.csv": nodes("split", cells) },
    graph: { ...four, split },
  })),
  {
    title: "several columns of splits",
    files: {
      "edges.csv": edges,
      "nodes.csv": nodes("split,split_1", ["train,test", "val,train", "test,val", "train,train"]),
    },
    graph: { ...four, split: [2, 1, 1] },
    warns: [/nodes\.csv: "split_1" is left out: another split; choose “split” to go by it instead/],
  },
  {
    title: "several labels in a cell, most combinations of which come once",
    files: ring(12, "id,label", (i) => ["a", "b", "c", "d"].filter((_, bit) => (i + 1) & (1 << bit)).join("|")),
    graph: { nodes: 12, edges: 12, classes: ["a", "b", "c", "d"] },
  },
  {
    title: "a split of 0, 1 and 2",
    files: { "edges.csv": edges, "nodes.csv": nodes("split", ["0", "1", "2", "0"]) },
    graph: { ...four, split: [2, 1, 1] },
    warns: [/nodes\.csv: in "split", 0, 1 and 2 are taken for train, val and test/],
  },
  {
    title: "folds of a cross-validation",
    files: { "edges.csv": edges, "nodes.csv": nodes("fold", ["1", "3", "4", "5"]) },
    graph: { ...four, split: [0, 0, 0] },
    warns: [/nodes\.csv: "fold" is called like a split but is not used, since it holds "1", "3", "4", "5"/],
  },
  {
    title: "a split of words that nobody knows",
    files: { "edges.csv": edges, "nodes.csv": nodes("split", ["A", "B", "A", "B"]) },
    graph: { ...four, split: [0, 0, 0] },
    warns: [/nodes\.csv: "split" is called like a split but is not used, since it holds "A", "B"/],
  },
  {
    title: "PyG's masks",
    files: {
      "edges.csv": edges,
      "nodes.csv": nodes("label,train_mask,val_mask,test_mask", [
        "a,True,False,False",
        "b,False,True,False",
        "a,False,False,True",
        "b,True,False,False",
      ]),
    },
    graph: { ...four, classes: ["a", "b"], split: [2, 1, 1] },
  },
  {
    title: "masks of 0 and 1 without one for val",
    files: { "edges.csv": edges, "nodes.csv": nodes("train_mask,test_mask", ["1,0", "0,1", "0,1", "1,0"]) },
    graph: { ...four, split: [2, 0, 2] },
  },
  {
    title: "a node in two masks",
    files: { "edges.csv": edges, "nodes.csv": nodes("train_mask,test_mask", ["1,1", "0,1", "0,1", "1,0"]) },
    graph: null,
    refused: /nodes\.csv, line 2, column "test_mask": the node is in the split of "train_mask" too/,
  },
  {
    title: "features by name and numbers with decimals",
    files: { "edges.csv": edges, "nodes.csv": nodes("x0,x1,score", ["1,0,0.5", "0,1,0.25", "1,1,1", "0,0,2"]) },
    graph: { ...four, features: 3 },
  },
  {
    title: "whole numbers that may be anything",
    files: { "edges.csv": edges, "nodes.csv": nodes("age", ["30", "41", "30", "7"]) },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "age" is left out: whole numbers/],
  },
  {
    title: "true and false",
    files: { "edges.csv": edges, "nodes.csv": nodes("verified", ["True", "False", "True", "False"]) },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "verified" is left out: true and false; choose “feature” to learn from it as 1 and 0/],
  },
  {
    title: "decimal commas",
    files: { "edges.csv": edges, "nodes.csv": nodes("height", ["-0,5", "1,75", "2", "1,6e3"], ";") },
    graph: { ...four, features: 1 },
  },
  {
    title: "decimal commas in quotes, between commas",
    files: { "edges.csv": edges, "nodes.csv": nodes("height", ['"0,5"', '"1,75"', '"2,0"', "3"]) },
    graph: { ...four, features: 1 },
  },
  {
    title: "decimal commas that may be pairs",
    files: { "edges.csv": edges, "nodes.csv": nodes("height", ["1,5", "1,75", "2,0", "1,6"], ";") },
    graph: { ...four, features: 1 },
    warns: [/nodes\.csv: Commas in its numbers are read as decimal points, 1,5 as 1\.5\. If they are something else/],
  },
  {
    title: "nodes of one column, whose ids have two words",
    files: {
      "edges.csv": lines("src,dst", "Ada Lovelace,Alan Turing", "Alan Turing,Grace Hopper"),
      "people.csv": lines("name", "Ada Lovelace", "Alan Turing", "Grace Hopper", "Kurt Gödel"),
    },
    graph: { nodes: 4, edges: 2, ids: ["Ada Lovelace", "Kurt Gödel"] },
  },
  {
    title: "commas in one column, points in another",
    files: { "edges.csv": edges, "nodes.csv": nodes("height;width", ["1,5;0.5", "1,75;1", "2,0;2.5", "1,6;3"], ";") },
    graph: { ...four, features: 1 },
    warns: [/nodes\.csv: "height" is left out: numbers with a decimal comma; choose it, or write them with a point/],
  },
  {
    title: "commas that may stand between thousands",
    files: { "edges.csv": edges, "nodes.csv": nodes("income", ["1,500", "12,000", "900", "2,250"], ";") },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "income" is left out/],
  },
  {
    title: "decimal commas of weights between blanks",
    files: { "edges.txt": "1 2 0,5\n2 3 1,25\n3 4 2\n" },
    graph: { nodes: 4, edges: 3, weighted: true },
    warns: [/edges\.txt: the numbers of "column3" are proposed as the weights/],
  },
  {
    title: "separators between thousands",
    files: { "edges.csv": edges, "nodes.csv": nodes("income", ['"1,234.5"', '"12,000"', '"900"', '"1,000,000"']) },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "income" is left out: numbers with separators between the thousands/],
  },
  {
    title: "percentages",
    files: { "edges.csv": edges, "nodes.csv": nodes("share", ["12%", "7.5%", "100%", "0%"]) },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "share" is left out: percentages; write them as plain numbers/],
  },
  {
    title: "dates",
    files: {
      "edges.csv": edges,
      "nodes.csv": nodes("joined", ["2020-01-31", "2021-02-01", "2020-12-24", "2019-07-14"]),
    },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "joined" is left out: dates/],
  },
  {
    title: "free text",
    files: { "edges.csv": edges, "nodes.csv": nodes("bio", ["likes cats", "likes dogs", "reads", "sleeps"]) },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "bio" is left out: text/],
  },
  {
    title: "an empty column",
    files: { "edges.csv": edges, "nodes.csv": nodes("note,x1", [",1", ",2", ",3", ",4"]) },
    graph: { ...four, features: 1 },
    warns: [/nodes\.csv: "note" is left out: empty in all rows/],
  },
  {
    title: "Neo4j's nodes, whose name is no id",
    files: {
      "people.csv": lines("personId:ID,name,:LABEL", "n1,Ann,Person", "n2,Bob,Person", "n3,Cid,Robot", "n4,Dan,Person"),
      "knows.csv": lines(":START_ID,:END_ID,:TYPE", "n1,n2,KNOWS", "n2,n3,KNOWS", "n3,n4,KNOWS"),
    },
    graph: four,
    warns: [/people\.csv: "name" is left out: text/],
  },
  {
    title: "a name before the id that the edges use",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines("name,code,label", "Ann,n1,a", "Bob,n2,b", "Cid,n3,a", "Dan,n4,b"),
    },
    graph: { ...four, classes: ["a", "b"] },
    warns: [/nodes\.csv: "name" is left out: text/],
  },
  {
    title: "German names of files and columns",
    files: {
      "kanten.csv": lines("von;nach;gewicht", "n1;n2;0,5", "n2;n3;1,25", "n3;n4;2"),
      "knoten.csv": lines("knoten;klasse;Größe", "n1;a;1,75", "n2;b;0,5", "n3;a;-1,5", "n4;b;2"),
    },
    graph: { ...four, classes: ["a", "b"], features: 1, weighted: true },
  },
  {
    title: "coordinates called x and y",
    files: {
      "edges.csv": edges,
      "places.csv": lines("id,x,y", "n1,0.5,1.5", "n2,0.25,2.5", "n3,1.75,3.5", "n4,2.125,4.5"),
    },
    graph: { ...four, targets: [], features: 2 },
  },
  {
    title: "two node files, one with further columns",
    files: {
      "edges.csv": edges,
      "nodes-a.csv": lines("id,label", "n1,a", "n2,b"),
      "nodes-b.csv": lines("id,label,note", "n3,a,x", "n4,b,y"),
    },
    graph: { ...four, classes: ["a", "b"] },
    warns: [/nodes-b\.csv: "note" is left out/],
  },
  {
    title: "the same id twice",
    files: { "edges.csv": edges, "nodes.csv": lines("id,label", "n1,a", "n1,b", "n2,a", "n3,b", "n4,a") },
    graph: null,
    refused: /nodes\.csv, line 3, column "id": the id "n1" is there a second time/,
  },
  {
    title: "an edge to a node that is not there",
    files: { "edges.csv": edges, "nodes.csv": lines("id,label", "n1,a", "n2,b", "n3,a") },
    graph: null,
    refused: /edges\.csv, line 4, column "dst": "n4" is not among the nodes/,
  },
  {
    title: "a number that is not one",
    files: { "edges.csv": edges, "nodes.csv": nodes("x1", ["0.5", "0.5", "0.5", "1e300"]) },
    graph: null,
    refused: /nodes\.csv, line 5, column "x1": the number does not fit float32/,
  },
];
