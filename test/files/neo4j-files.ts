import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type FileCase, lines } from "./case.ts";

const people = lines("personId:ID(Person),age:int,:LABEL", "0,31,Person;Actor", "1,62,Person", "2,45,Person;Actor");
const films = lines(
  "filmId:ID(Film),class:string,score:float,:LABEL",
  "0,drama,0.5,Film",
  "1,comedy,0.7,Film",
  "2,drama,0.1,Film",
);
const acted = lines(
  ":START_ID(Person),role,:END_ID(Film),:TYPE",
  "0,Neo,1,ACTED_IN",
  "2,Trin,0,ACTED_IN",
  "2,Ann,1,ACTED_IN",
);
const read = {
  nodes: 6,
  edges: 3,
  ids: ["Film/0", "Person/0"],
  classes: ["comedy", "drama"],
  features: 1,
  edgeTypes: ["ACTED_IN", "rev_ACTED_IN"],
} as const;
const mapped = /Person \(people\.csv\)\. Relations: Person ACTED_IN Film \(acted\.csv\)/;

/** Files for `neo4j-admin database import`, whose headers say what their columns hold. */
export const neo4jFileCases: readonly FileCase[] = [
  {
    title: "groups of ids, in each of which ids begin at 0",
    files: { "films.csv": films, "people.csv": people, "acted.csv": acted },
    graph: read,
    warns: [mapped],
  },
  {
    title: "a header in a file of its own, its rows in two parts",
    files: {
      "films.csv": films,
      "people.csv": people,
      "acted-header.csv": ":START_ID(Person),:END_ID(Film),:TYPE\n",
      "acted-part1.csv": lines("0,1,ACTED_IN", "2,0,ACTED_IN"),
      "acted-part2.csv": lines("2,1,ACTED_IN"),
    },
    graph: read,
    warns: [/Person ACTED_IN Film \(acted-part1\.csv, acted-part2\.csv\)/],
  },
  {
    title: "ids without groups: types by label, ends by ids",
    files: {
      "movies.csv": lines("movieId:ID,title,:LABEL", "tt01,The Matrix,Movie", "tt02,Reloaded,Movie;Sequel"),
      "actors.csv": lines("personId:ID,name,:LABEL", "keanu,Keanu,Person;Actor", "laurence,Laurence,Person;Actor"),
      "roles.csv": lines(":START_ID,role,:END_ID,:TYPE", "keanu,Neo,tt01,ACTED_IN", "laurence,Morpheus,tt02,ACTED_IN"),
    },
    graph: { nodes: 4, edges: 2, edgeTypes: ["ACTED_IN", "rev_ACTED_IN"] },
    warns: [/Movie \(movies\.csv\), Actor \(actors\.csv\)\. Relations: Actor ACTED_IN Movie \(roles\.csv\)/],
  },
  {
    title: "relationships of several types in one file",
    files: {
      "films.csv": films,
      "people.csv": people,
      "worked.csv": lines(":START_ID(Person),:END_ID(Film),:TYPE", "0,1,ACTED_IN", "1,1,MADE", "2,2,ACTED_IN"),
    },
    graph: { nodes: 6, edges: 3, edgeTypes: ["rev_worked", "worked"] },
    warns: [/worked\.csv holds edges of several types \(ACTED_IN, MADE\), which are read as one relation/],
  },
  {
    title: "one table of nodes and one of relationships",
    files: {
      "people.csv": lines("id:ID,x:float,vec:float[],:LABEL", "a,0.5,1;2,P", "b,0.1,3;4,P", "c,0.2,5;6,P"),
      "knows.csv": lines(":START_ID,:END_ID,:TYPE", "a,b,KNOWS", "b,c,KNOWS"),
    },
    graph: { nodes: 3, edges: 2, ids: ["a", "b", "c"], features: 3, edgeTypes: ["KNOWS"] },
  },
  {
    title: "a relationship to an id that its group does not have",
    files: { "films.csv": films, "people.csv": people, "acted.csv": `${acted}0,Eve,7,ACTED_IN\n` },
    graph: null,
    refused: /acted\.csv, line 5, column ":END_ID\(Film\)": "7" is not among/,
    warns: [mapped],
  },
];

const sample = new URL("../../../shared/datasets/imdb-neo4j/", import.meta.url);
export const hasNeo4jSample = existsSync(sample);

/** Films with their actors and directors; counts in its README. */
export function neo4jSample(): Readonly<Record<string, Uint8Array>> {
  const names = readdirSync(sample).filter((name) => name.includes(".csv"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, sample))]));
}
