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
    graph: { ...path, features: 1 },
    warns: [/labels\.csv is left out: .*users\.csv.*how="left"/],
  },
  {
    title: "labels and vectors of all nodes, whose ids are called otherwise",
    files: {
      "edges.csv": edges,
      "users.csv": users,
      "labels.csv": lines("node,label", "1,x", "2,y", "3,x", "4,y"),
      "embeddings.csv": lines("uid,e0,e1", "1,0.5,1.5", "2,0.25,1.25", "3,1.5,2.5", "4,0,1"),
    },
    graph: { ...path, features: 1 },
    warns: [/labels\.csv is left out: .*users\.csv/, /embeddings\.csv is left out: .*users\.csv/],
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
    graph: { ...rated, ids: ["users/1", "movies/1"] },
    warns: [/user_labels\.csv is left out: .*users\.csv/, /movie_features\.csv is left out: .*movies\.csv/],
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
    graph: { ...rated, ids: ["u1", "m1"] },
    warns: [/labels\.csv is left out: .*users\.csv/],
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
];
