import { type FileCase, lines, pairs, path } from "./case.ts";

const edges = lines("src,dst", ...pairs(","));
const users = lines("id,age", "1,0.5", "2,1.5", "3,2.5", "4,3.25");
const rates = lines("user,movie", "1,1", "2,1", "2,2");
const people = lines("user,age", "1,0.5", "2,1.5");
const movies = lines("movie,year", "1,1999.5", "2,2000.5");
const rated = { nodes: 4, edges: 3, edgeTypes: ["rates", "rev_rates"] } as const;

/** Several tables of the same nodes: none makes nodes of its own, and what is not read is said. */
export const secondTableCases: readonly FileCase[] = [
  {
    title: "labels of some nodes beside a table of all",
    files: { "edges.csv": edges, "users.csv": users, "labels.csv": lines("id,label", "1,x", "3,y") },
    graph: { ...path, features: 1, classes: ["x", "y"], unlabelled: 2 },
    warns: [/labels\.csv is joined to the nodes of users\.csv by "id": "label"\./],
    reports: [/Joining the table with "label": 2 of 4 nodes have no row in it/],
  },
  {
    title: "labels and vectors of all nodes, whose ids are called otherwise",
    files: {
      "edges.csv": edges,
      "users.csv": users,
      "labels.csv": lines("node,label", "1,x", "2,y", "3,x", "4,y"),
      "embeddings.csv": lines("uid,e0,e1", "1,0.5,1.5", "2,0.25,1.25", "3,1.5,2.5", "4,0,1"),
    },
    graph: {
      ...path,
      features: 3,
      classes: ["x", "y"],
      rows: [
        [0.5, 0.5, 1.5],
        [1.5, 0.25, 1.25],
        [2.5, 1.5, 2.5],
        [3.25, 0, 1],
      ],
    },
    warns: [
      /labels\.csv is joined to the nodes of users\.csv where its "node" is their "id"/,
      /embeddings\.csv is joined .*"e0", "e1"/,
    ],
  },
  {
    title: "two types, of each of which two files tell",
    files: {
      "rates.csv": rates,
      "users.csv": people,
      "user_labels.csv": lines("user,label", "1,x", "2,y"),
      "movies.csv": movies,
      "movie_features.csv": lines("movie,f0,f1", "1,0.5,0.25", "2,1.5,2.5"),
    },
    graph: { ...rated, ids: ["users/1", "movies/1"], classes: ["x", "y"] },
    warns: [
      /user_labels\.csv is joined to the nodes of users\.csv/,
      /movie_features\.csv is joined to the nodes of movies\.csv/,
    ],
  },
  {
    title: "labels of users or of movies, both of which have such ids",
    files: {
      "rates.csv": rates,
      "users.csv": people.replace("user", "id"),
      "labels.csv": lines("id,label", "1,x", "2,y"),
      "movies.csv": movies.replace("movie", "id"),
    },
    graph: { ...rated, ids: ["users/1", "movies/1"] },
    warns: [/labels\.csv is left out: whether it says more of the nodes in users\.csv or movies\.csv cannot be told/],
  },
  {
    title: "labels whose ids only users have",
    files: {
      "rates.csv": lines("user,movie", "u1,m1", "u2,m1", "u2,m2"),
      "users.csv": lines("id,age", "u1,0.5", "u2,1.5"),
      "labels.csv": lines("id,label", "u1,x", "u2,y"),
      "movies.csv": lines("id,year", "m1,1999.5", "m2,2000.5"),
    },
    graph: { ...rated, ids: ["u1", "m1"], classes: ["x", "y"] },
    warns: [/labels\.csv is joined to the nodes of users\.csv/],
  },
  {
    title: "classes that students attend, which are nodes",
    files: {
      "attends.csv": lines("student,class", "1,1", "2,1", "2,2"),
      "students.csv": lines("id,age", "1,0.5", "2,1.5"),
      "classes.csv": lines("id,size", "1,20.5", "2,30.5"),
    },
    graph: { nodes: 4, edges: 3, ids: ["students/1", "classes/1"], edgeTypes: ["attends", "rev_attends"] },
    warns: [/students \(students\.csv\), classes \(classes\.csv\)/],
  },
  {
    title: "teachers and students, who are numbered alike under the same name",
    files: {
      "teaches.csv": lines("teacher,student", "1,1", "2,1", "2,2"),
      "teachers.csv": lines("person_id,age", "1,40.5", "2,50.5"),
      "students.csv": lines("person_id,age", "1,20.5", "2,21.5"),
    },
    graph: { nodes: 4, edges: 3, ids: ["teachers/1", "students/1"], edgeTypes: ["rev_teaches", "teaches"] },
    warns: [/teachers \(teachers\.csv\), students \(students\.csv\)/],
  },
  {
    title: "Elliptic: features without names, classes, an edge list, in three files",
    files: {
      "elliptic_txs_classes.csv": lines(
        "txId,class",
        '"230","unknown"',
        '"5530","2"',
        '"232","1"',
        '"233","2"',
        '"77","unknown"',
      ),
      "elliptic_txs_edgelist.csv": lines("txId1,txId2", "230,5530", "232,233", "233,77"),
      "elliptic_txs_features.csv": lines(
        "230,1,-0.17,0.5",
        "5530,1,-0.18,1.5",
        "232,1,-0.12,2.5",
        "233,2,0.1,3.5",
        "77,2,0.2,4.5",
      ),
    },
    graph: { nodes: 5, edges: 3, features: 3, classes: ["1", "2"], unlabelled: 2 },
    warns: [
      /elliptic_txs_features\.csv is joined to the nodes of elliptic_txs_classes\.csv where its "column1" is their "txId"/,
    ],
  },
  {
    title: "labels as JSON lines in another order, and lists of ids for the split, one without a header",
    files: {
      "edges.csv": lines("src,dst", "ann,bob", "bob,cid", "cid,dee"),
      "users.csv": lines("user,score", "ann,0.5", "bob,1.5", "cid,2.5", "dee,3.5"),
      "user_labels.jsonl": lines(
        '{"label": "a", "user": "dee"}',
        '{"label": "b", "user": "bob"}',
        '{"label": "a", "user": "ann"}',
        '{"label": "b", "user": "cid"}',
      ),
      "train.csv": lines("user", "ann", "dee"),
      "valid.csv": lines("user", "bob"),
      "test.csv": lines("cid"),
    },
    graph: { nodes: 4, edges: 3, features: 1, classes: ["a", "b"], split: [2, 1, 1] },
    warns: [/user_labels\.jsonl is joined to the nodes of users\.csv by "user": "label"/],
  },
  {
    title: "nodes and the ids to learn from",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines("id,label", "1,x", "2,y", "3,x", "4,y"),
      "train_ids.csv": lines("id", "4", "1"),
    },
    graph: { ...path, classes: ["x", "y"], split: [2, 0, 0] },
  },
  {
    title: "a label table that has nodes which the first table does not have, and a column of the same name",
    files: {
      "edges.csv": edges,
      "users.csv": lines("id,x", "1,0.5", "2,1.5", "3,2.5", "4,3.5"),
      "user_features.csv": lines("id,x,z", "4,7.5,1.5", "3,6.5,2.5", "2,5.5,3.5", "9,1.5,4.5"),
    },
    graph: {
      ...path,
      features: 5,
      rows: [
        [0.5, 6.5, 1, 2.5, 1],
        [1.5, 5.5, 0, 3.5, 0],
        [2.5, 6.5, 0, 2.5, 0],
        [3.5, 7.5, 0, 1.5, 0],
      ],
    },
    warns: [
      /user_features\.csv is joined .*"x_user_features", "z" \("x" is called "x_user_features"\)/,
      /user_features\.csv has no row for 1 of the 4 nodes/,
      /user_features\.csv: some of its ids are not among the nodes of users\.csv/,
    ],
    reports: [/1 row of it was left out/],
  },
  {
    title: "several rows for a node, which are no table of nodes",
    files: {
      "similar_edges.csv": lines("src,dst", "1,2", "2,3", "3,4"),
      "movies.csv": lines("movieId,year", "1,1999.5", "2,2000.5", "3,2001.5", "4,2002.5"),
      "movie_genres.csv": lines("movieId,genre", "1,drama", "1,war", "2,drama", "3,war", "4,war"),
    },
    graph: { nodes: 4, edges: 3, features: 1 },
    warns: [/movie_genres\.csv is not used by the proposal: it has several rows for a node of movies\.csv/],
  },
];
