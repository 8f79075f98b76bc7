import { type FileCase, lines } from "./case.ts";

const words = (id: number, ...bits: readonly number[]) => [id, ...bits];
const featureRows = [words(10, 0, 1, 1), words(20, 1, 0, 1), words(30, 1, 1, 0), words(40, 0, 0, 1)];
const circle = { nodes: 4, edges: 4, ids: ["10", "20", "30", "40"] } as const;
const circleOf = (delimiter: string) =>
  lines(
    ...[
      [10, 20],
      [20, 30],
      [30, 40],
      [40, 10],
    ].map((ends) => ends.join(delimiter)),
  );

const numbers = Array.from({ length: 300 }, (_, i) => i);

/** Small files in the layouts of data sets that are handed around, most of which name no column. */
export const layoutFileCases: readonly FileCase[] = [
  {
    title: "Cora as LINQS gives it: words, then the class",
    files: {
      "cora.cites": circleOf("\t"),
      "cora.content": lines(...featureRows.map((row, i) => [...row, i % 2 ? "Theory" : "Neural"].join("\t"))),
    },
    graph: { ...circle, classes: ["Neural", "Theory"], rows: featureRows.map(([, ...bits]) => bits) },
    warns: [
      /cora\.content: its columns have no names\. "column2", "column3", "column4" are proposed as features, and "column5" is proposed as the label/,
    ],
  },
  {
    title: "labels in a file without names, between blanks",
    files: { "mail.txt": circleOf(" "), "mail-department-labels.txt": lines("10 1", "20 1", "30 21", "40 21") },
    graph: { ...circle, classes: ["1", "21"] },
    warns: [/mail-department-labels\.txt: its columns have no names\. "dst" is proposed as the label/],
  },
  {
    title: "features in a file without names, between blanks",
    files: { "0.edges": circleOf(" "), "0.feat": lines(...featureRows.map((row) => row.join(" "))) },
    graph: { ...circle, rows: featureRows.map(([, ...bits]) => bits) },
    warns: [/0\.feat: its columns have no names/],
  },
  {
    title: "features without names, rows of two files of which differ in length",
    files: {
      "0.edges": circleOf(" "),
      "0.feat": lines(...featureRows.map((row) => row.join(" "))),
      "1.feat": lines("10 1 1", "20 0 1"),
    },
    graph: { ...circle, features: 3 },
    warns: [/1\.feat is left out, with all its nodes: it has 3 columns without names and 0\.feat has 4/],
  },
  {
    title: "Geom-GCN: both ends called node_id, features between commas in one cell",
    files: {
      "out1_graph_edges.txt": lines("node_id\tnode_id", "10\t20", "20\t30", "30\t40", "40\t10"),
      "out1_node_feature_label.txt": lines(
        "node_id\tfeature\tlabel",
        ...featureRows.map(([id, ...bits], i) => `${id}\t${bits.join(",")}\t${i % 2}`),
      ),
    },
    graph: { ...circle, classes: ["0", "1"], rows: featureRows.map(([, ...bits]) => bits) },
  },
  {
    title: "DGL's CSV, a vector between commas in quotes",
    files: {
      "edges_0.csv": lines("src_id,dst_id", "0,1", "1,2", "2,0"),
      "nodes_0.csv": lines(
        "node_id,label,train_mask,val_mask,test_mask,feat",
        '0,0,True,False,False,"0.5,0.25"',
        '1,1,False,True,False,"0.75,0.5"',
        '2,0,False,False,True,"1.0,-2e-1"',
      ),
    },
    graph: {
      nodes: 3,
      edges: 3,
      classes: ["0", "1"],
      split: [1, 1, 1],
      rows: [
        [0.5, 0.25],
        [0.75, 0.5],
        [1, -0.2],
      ],
    },
  },
  {
    title: "lists of indices of different lengths between commas are no decimal commas",
    files: {
      "edges.tsv": circleOf("\t"),
      "nodes.tsv": lines("node_id\tfeature\tlabel", "10\t3,17,64\t0", "20\t5,9\t1", "30\t7\t0", "40\t8,9\t1"),
    },
    graph: { ...circle, classes: ["0", "1"], features: 0 },
    warns: [/nodes\.tsv: "feature" is left out/],
  },
  ...["unknown", "Unlabeled", "?", "-"].map(
    (word): FileCase => ({
      title: `classes beside the word ${word}`,
      files: {
        "edges.csv": lines("txId1,txId2", "1,2", "2,3", "3,4"),
        "classes.csv": lines("txId,class", `1,${word}`, "2,licit", "3,illicit", "4,licit"),
      },
      graph: { nodes: 4, edges: 3, classes: ["illicit", "licit"], unlabelled: 1 },
      warns: [/classes\.csv: the label .* in "class" is read as "not known"/],
    }),
  ),
  {
    title: "SNAP's edges with seconds behind the ends",
    files: { "sx-math.txt": lines("9 8 1254192988", "1 9 1254194656", "8 2 1254192990") },
    graph: { nodes: 4, edges: 3 },
    warns: [/sx-math\.txt: "column3" is proposed as the time of each edge, in seconds since 1970, such as 2009-09-29/],
  },
  {
    title: "marks of the split in columns called train, val and test",
    files: {
      "edges.csv": lines("u,v", "1,2", "2,3"),
      "nodes.csv": lines("id,y,train,val,test", "1,0,1,0,0", "2,1,0,1,0", "3,0,0,0,1"),
    },
    graph: { nodes: 3, edges: 2, classes: ["0", "1"], split: [1, 1, 1] },
  },
  {
    title: "transfers of money, whose two columns Account are the ends",
    files: {
      "transfers.csv": lines("From Bank,Account,To Bank,Account,Amount", "1,A,2,B,1.5", "2,B,1,C,2.5"),
    },
    graph: { nodes: 3, edges: 2, ids: ["A", "B", "C"], weighted: true },
    warns: [/transfers\.csv: "From Bank", "To Bank" are left out/],
  },
  {
    title: "facts under their usual names, some of them of one thing and itself",
    files: { "kg.csv": lines("head,relation,tail", "a,likes,b", "b,likes,b", "b,knows,a") },
    graph: { nodes: 2, edges: 3, directed: true, edgeTypes: ["knows", "likes"] },
  },
  {
    title: "names of columns in Chinese",
    files: { "边.csv": lines("源,目标", "甲,乙", "乙,丙") },
    graph: { nodes: 3, edges: 2, ids: ["甲", "乙", "丙"] },
  },
  {
    title: "weights with points between the thousands and a decimal comma",
    files: { "edges.csv": lines("src;dst;weight", "1;2;1.234,5", "2;3;12,25") },
    graph: { nodes: 3, edges: 2, weighted: false },
    warns: [/edges\.csv: "weight" is left out: text/],
  },
  {
    title: "MovieLens: a user and a movie of one number are two nodes, the users in the ratings alone",
    files: {
      "ratings.csv": lines(
        "userId,movieId,rating,timestamp",
        "1,1,4.0,978300760",
        "1,2,3.5,978302109",
        "2,1,5.0,978301968",
      ),
      "movies.csv": lines(
        "movieId,title,genres",
        "1,Toy Story (1995),Animation",
        "2,Heat (1995),Action",
        "3,Jumanji (1995),Comedy",
      ),
    },
    graph: {
      nodes: 5,
      edges: 3,
      ids: ["movies/1", "movies/2", "movies/3", "user/1", "user/2"],
      weighted: true,
      edgeTypes: ["ratings", "rev_ratings"],
      sidesOfLinks: ["time"],
    },
    warns: [/"userId" and "movieId" are ids of two kinds, so that user 1 and movie 1 are two nodes/],
  },
  {
    title: "two tables of users and items, whose ids are alike",
    files: {
      "buys.csv": lines("user_id,item_id", "1,12", "12,13"),
      "clicks.csv": lines("user_id,item_id", "13,14", "14,12"),
    },
    graph: { nodes: 4, edges: 4 },
    warns: [/"user_id" and "item_id" look like ids of two kinds, and 12 is among both: here it is one node/],
  },
  {
    title: "users and items with a split of their links",
    files: { "clicks.csv": lines("user_id,item_id,split", "1,1,train", "1,2,val", "2,1,test", "3,4,train") },
    graph: { nodes: 6, edges: 4, ids: ["item/4", "user/3"], sidesOfLinks: ["split"] },
    warns: [/"user_id" and "item_id" are ids of two kinds/],
  },
  {
    title: "one table of users and items",
    files: { "clicks.csv": lines("user_id,item_id", "1,1", "1,2", "2,1", "3,4") },
    graph: { nodes: 6, edges: 4, ids: ["item/4", "user/3"] },
    warns: [/"user_id" and "item_id" are ids of two kinds/],
  },
  {
    title: "users and their friends are of one kind",
    files: { "friends.csv": lines("user_id,friend_id", "1,2", "2,3") },
    graph: { nodes: 3, edges: 2 },
  },
  {
    title: "a second table of users in an order of its own, beside movies of the same numbers",
    files: {
      "users.csv": lines("userId,age", ...numbers.map((i) => `${i},${20 + (i % 40)}`)),
      "user_labels.csv": lines("userId,segment", ...numbers.toReversed().map((i) => `${i},s${i % 2}`)),
      "movies.csv": lines("movieId,year", ...numbers.map((i) => `${i},${1950 + (i % 70)}`)),
      "ratings.csv": lines("userId,movieId,rating", ...numbers.map((i) => `${i},${(7 * i) % 300},4`)),
    },
    graph: { nodes: 600, edges: 300, ids: ["movies/299", "users/0"], classes: ["s0", "s1"] },
    warns: [/user_labels\.csv/],
  },
  {
    title: "features and labels of the same nodes in a table each",
    files: {
      "edges.csv": lines("source,target", "1,2", "2,3"),
      "features.csv": lines("id,f0,f1", "1,0.5,1", "2,0.25,2", "3,0.75,3"),
      "labels.csv": lines("id,label", "1,a", "2,b", "3,a"),
    },
    graph: { nodes: 3, edges: 2, features: 2, classes: ["a", "b"] },
    warns: [/labels\.csv is joined to the nodes of features\.csv by "id": "label"\./],
  },
];
