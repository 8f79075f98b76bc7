import { type FileCase, lines, pairs, path } from "./case.ts";

/** Rows of the features that lists of indices name */
const listed = [
  [0, 1, 0, 1],
  [1, 0, 0, 0],
  [0, 0, 0, 0],
  [0, 0, 1, 1],
] as const;
const features = '{"0": [3, 1], "1": [0],\n "2": [], "3": [2, 3, 2]}';
const numbered = { nodes: 4, edges: 3, ids: ["0", "1", "2", "3"] } as const;

/** One JSON object with a list for each id, as graphs of MUSAE and GEMSEC are published. */
export const listFileCases: readonly FileCase[] = [
  {
    title: "MUSAE's pages: edges, features and what each page is",
    files: {
      "musae_facebook_edges.csv": lines("id_1,id_2", "0,1", "1,2", "2,3"),
      "musae_facebook_features.json": features,
      "musae_facebook_target.csv": lines(
        "id,facebook_id,page_name,page_type",
        "3,1459,Tokyo,politician",
        "1,1910,Ski,company",
        "2,4777,Moto,company",
        "0,6444,Rolf,politician",
      ),
    },
    graph: {
      ...numbered,
      features: 4,
      rows: [listed[3], listed[1], listed[2], listed[0]],
    },
    warns: [
      /musae_facebook_features\.json is joined to the nodes of musae_facebook_target\.csv where its "key" is their "id": "value"/,
    ],
    reports: [/1 list of "value" name an index twice: it counts once/],
  },
  {
    title: "Twitch's users, whom edges call otherwise than the service does",
    files: {
      "musae_DE_edges.csv": lines("from,to", "0,1", "1,2", "2,3"),
      "musae_DE_features.json": features,
      "musae_DE_target.csv": lines(
        "id,days,mature,views,partner,new_id",
        "73045350,1459,False,9528,False,2",
        "61573865,1629,True,3615,False,0",
        "171688476,411,True,46546,True,3",
        "35845321,1000,False,1,False,1",
      ),
    },
    graph: { ...numbered, features: 4, rows: [listed[2], listed[0], listed[3], listed[1]] },
    warns: [
      /musae_DE_features\.json is joined to the nodes of musae_DE_target\.csv where its "key" is their "new_id"/,
      /musae_DE_target\.csv: "mature", "partner" are left out: true and false/,
    ],
  },
  {
    title: "Wikipedia's articles, whose features are the only table beside the numbers to predict",
    files: {
      "musae_crocodile_edges.csv": lines("id1,id2", "0,1", "1,2", "2,3"),
      "musae_crocodile_features.json": features,
      "musae_crocodile_target.csv": lines("id,target", "0,33.5", "1,2.5", "2,7.25", "3,1.5"),
    },
    graph: { ...numbered, features: 4, rows: listed, targets: ["target"] },
    warns: [/musae_crocodile_features\.json is joined/],
  },
  {
    title: "features alone beside the edges",
    files: { "edges.csv": lines("src,dst", "0,1", "1,2", "2,3"), "features.json": features },
    graph: { ...numbered, features: 4, rows: listed },
    warns: [/features\.json: the lists in "value" are taken for indices of features: 1 there, and 0 elsewhere/],
  },
  {
    title: "GEMSEC's genres, several for each user",
    files: {
      "HR_edges.csv": lines("node_1,node_2", "0,1", "1,2", "2,3"),
      "HR_genres.json": '{"0": ["Pop", "Hip Hop/Rap"], "2": ["Pop"], "1": [], "3": ["Dance", "Pop"]}',
    },
    graph: { ...numbered, classes: ["Dance", "Hip Hop/Rap", "Pop"] },
  },
  {
    title: "vectors by id, which have as many numbers each",
    files: {
      "edges.csv": lines("src,dst", ...pairs(",")),
      "users.csv": lines("id,age", "1,0.5", "2,1.5", "3,2.5", "4,3.25"),
      "user_embeddings.json": '{"4": [0.5, 1], "2": [1.5, 2], "1": [2.5, 3], "3": [3.5, 4]}',
    },
    graph: {
      ...path,
      features: 3,
      rows: [
        [0.5, 2.5, 3],
        [1.5, 1.5, 2],
        [2.5, 3.5, 4],
        [3.25, 0.5, 1],
      ],
    },
    warns: [/user_embeddings\.json is joined to the nodes of users\.csv where its "key" is their "id": "value"/],
  },
  {
    title: "indices of features in a column of a table",
    files: {
      "edges.csv": lines("src,dst", ...pairs(",")),
      "nodes.jsonl": lines(
        '{"id": 1, "features": [3, 1], "age": 0.5}',
        '{"id": 2, "features": [0], "age": 1.5}',
        '{"id": 3, "features": [], "age": 0}',
        '{"id": 4, "features": [2, 3], "age": 2.5}',
      ),
    },
    graph: {
      ...path,
      features: 5,
      rows: [
        [0.5, 0, 1, 0, 1],
        [1.5, 1, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [2.5, 0, 0, 1, 1],
      ],
    },
    warns: [/nodes\.jsonl: the lists in "features" are taken for indices of features/],
  },
  {
    title: "a list for each column, which is turned round",
    files: { "edges.json": '{"src": [1, 2, 3], "dst": [2, 3, 4]}' },
    graph: null,
    warns: [/edges\.json holds a list for each column: pandas/],
  },
];

const four = (from: number, label: string) => [from, from + 1].map((id) => `${id},${id}.5,${label}`);
const follows = lines("src,dst", "1,2", "2,3", "3,4", "4,5", "5,6");
const six = { nodes: 6, edges: 5 } as const;

/** The split as files: rows of nodes, or ids, for each side. */
export const sideFileCases: readonly FileCase[] = [
  {
    title: "nodes in a file for each side, and no other",
    files: {
      "edges.csv": follows,
      "train.csv": lines("id,x,label", ...four(1, "a")),
      "val.csv": lines("id,x,label", ...four(3, "b")),
      "test.csv": lines("id,x,label", ...four(5, "a")),
    },
    graph: { ...six, features: 1, classes: ["a", "b"], split: [2, 2, 2] },
    warns: [/train\.csv \(train\), val\.csv \(val\), test\.csv \(test\): Their names say on which side/],
  },
  {
    title: "labels in a file for each side beside a table of all nodes",
    files: {
      "edges.csv": follows,
      "nodes.csv": lines("id,x", "1,0.5", "2,1.5", "3,2.5", "4,3.5", "5,4.5", "6,5.5"),
      "train.csv": lines("id,label", "6,a", "1,b"),
      "test.csv": lines("id,label", "2,a"),
    },
    graph: { ...six, features: 1, classes: ["a", "b"], unlabelled: 3, split: [2, 0, 1] },
    warns: [/They have rows of nodes in nodes\.csv/, /train\.csv is joined to the nodes of nodes\.csv/],
  },
  {
    title: "rows of a table of all nodes once more, for each side",
    files: {
      "edges.csv": follows,
      "nodes.csv": lines("id,x,label", ...four(1, "a"), ...four(3, "b"), ...four(5, "a")),
      "train.csv": lines("id,x,label", ...four(1, "a")),
      "valid.csv": lines("id,x,label", ...four(3, "b")),
    },
    graph: { ...six, features: 1, classes: ["a", "b"], split: [2, 2, 0] },
    warns: [/They have rows of nodes in nodes\.csv/],
  },
  {
    title: "lists of ids of long files, which begin with other nodes",
    files: {
      "edges.csv": lines("src,dst", ...Array.from({ length: 400 }, (_, i) => `n${i},n${(i * 7 + 1) % 400}`)),
      "nodes.csv": lines("id,label", ...Array.from({ length: 400 }, (_, i) => `n${i},${"ab"[i % 2]}`)),
      "train.csv": lines("id", ...Array.from({ length: 150 }, (_, i) => `n${399 - i}`)),
      "test.csv": lines(...Array.from({ length: 150 }, (_, i) => `n${i + 90}`)),
    },
    graph: { nodes: 400, edges: 400, classes: ["a", "b"], split: [150, 0, 150] },
  },
  {
    title: "a split of the table's own beside lists",
    files: {
      "edges.csv": follows,
      "nodes.csv": lines("id,label,split", "1,a,train", "2,b,train", "3,a,val", "4,b,val", "5,a,test", "6,b,test"),
      "train.csv": lines("id", "1", "2"),
      "test.csv": lines("id", "5", "6"),
    },
    graph: { ...six, split: [2, 2, 2] },
    warns: [/train\.csv is left out: the nodes have a split of their own/, /test\.csv is left out/],
  },
  {
    title: "lists of ids for one of two types, in a folder of its name",
    files: {
      "writes.csv": lines("author,paper", "1,1", "2,1", "2,2", "3,4", "3,3"),
      "author.csv": lines("author,h", "1,0.5", "2,1.5", "3,2.5"),
      "paper.csv": lines("paper,topic", "1,a", "2,b", "3,a", "4,b"),
      "split/paper/train.csv": lines("1", "4"),
      "split/paper/valid.csv": lines("2"),
      "split/paper/test.csv": lines("3"),
    },
    graph: { nodes: 7, edges: 5, split: [2, 1, 1] },
    warns: [
      /split\/paper\/train\.csv, split\/paper\/valid\.csv, split\/paper\/test\.csv: their names say on which side/,
    ],
  },
  {
    title: "the nodes of one type in a file for each side",
    files: {
      "writes.csv": lines("author,paper", "u1,p1", "u2,p1", "u2,p2", "u3,p4", "u3,p3"),
      "author.csv": lines("author,h", "u1,0.5", "u2,1.5", "u3,2.5"),
      "paper_train.csv": lines("paper,x,label", "p1,0.5,a", "p2,1.5,b"),
      "paper_test.csv": lines("paper,x,label", "p3,2.5,a", "p4,3.5,b"),
    },
    graph: { nodes: 7, edges: 5, classes: ["a", "b"], split: [2, 0, 2] },
    warns: [/paper \(paper_train\.csv, paper_test\.csv\)/],
  },
];
