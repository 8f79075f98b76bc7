import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type FileCase, lines } from "./case.ts";

const asTriples = /is read as triples: "\w+", "\w+", "\w+" are the head, its relation and the tail/;
const films = lines("/m/1\t/acted_in\t/m/2", "/m/2\t/made_by\t/m/3", "/m/4\t/acted_in\t/m/2");
const read = {
  nodes: 4,
  edges: 3,
  ids: ["/m/1", "/m/4"],
  edgeTypes: ["/acted_in", "/made_by"],
  directed: true,
} as const;
const rdf = lines(
  "# made up",
  "<http://x/a> <http://x/knows> <http://x/b> .",
  "",
  '<http://x/a> <http://x/name> "Ann \\"A.\\" <b> ."@en .',
  "_:b.0 <http://x/knows> <http://x/\\u00e9> . # a comment",
  '<http://x/b> <http://x/age> "7"^^<http://www.w3.org/2001/XMLSchema#int>.',
);
const turtle = lines(
  "@prefix ex: <http://x/> . # made up",
  "@base <http://x/> .",
  'ex:a ex:knows <b> ; ex:name "Ann \\"A.\\" <b> ."@en .',
  "_:b.0 ex:knows <\\u00e9> .",
  "<b> ex:age 7 .",
);
const twoLiterals = /2 triples are left out, which end in a literal \(a text or a number\)/;
const rdfRead = {
  nodes: 4,
  edges: 2,
  ids: ["http://x/a", "_:b.0", "http://x/é"],
  edgeTypes: ["http://x/knows"],
  directed: true,
} as const;

/** Heads, relations and tails, as knowledge graphs are published. */
export const tripleFileCases: readonly FileCase[] = [
  { title: "triples between tabs", files: { "train.txt": films }, graph: read, warns: [asTriples] },
  {
    title: "triples between blanks",
    files: { "train.txt": films.replaceAll("\t", " ") },
    graph: read,
    warns: [asTriples],
  },
  {
    title: "triples of ids with leading zeros",
    files: {
      "triples.tsv": lines("00260881\t_kind_of\t00260622", "01332730\t_kind_of\t03122748", "00260622\t_part\t03122748"),
    },
    graph: { nodes: 4, edges: 3, ids: ["00260881"], edgeTypes: ["_kind_of", "_part"] },
    warns: [asTriples],
  },
  {
    title: "triples of which one leads back and one from a node to itself",
    files: { "facts.tsv": lines("ann\tknows\tbob", "bob\tknows\tann", "bob\tlikes\tbob", "bob\tlikes\ttea") },
    graph: { nodes: 3, edges: 4, edgeTypes: ["knows", "likes"], directed: true },
    warns: [asTriples],
  },
  {
    title: "few nodes that are joined by more relations than there are nodes",
    files: {
      "nations.tsv": lines(
        "uk\tties\tusa",
        "usa\ttrade\tuk",
        "uk\taid\tchina",
        "china\taid\tuk",
        "usa\tembassy\tchina",
        "china\ttourism\tusa",
      ),
    },
    graph: { nodes: 3, edges: 6, ids: ["china"], edgeTypes: ["aid", "embassy", "ties", "tourism", "trade"] },
    warns: [asTriples],
  },
  {
    title: "triples that were split when they were published",
    files: {
      "train.txt": films,
      "valid.txt": lines("/m/1\t/acted_in\t/m/5", "/m/5\t/made_by\t/m/4", "/m/5\t/made_by\t/m/3"),
      "test.txt": lines("/m/5\t/acted_in\t/m/2", "/m/1\t/made_by\t/m/4", "/m/2\t/made_by\t/m/4"),
    },
    graph: { nodes: 5, edges: 9 },
    warns: [asTriples],
  },
  {
    title: "who bought what, when: no triples",
    files: { "ratings.tsv": lines("17\tB00X\t881250949", "18\tB00X\t881250950", "19\tB00Y\t881250951") },
    graph: { nodes: 5, edges: 3, ids: ["17", "B00X"] },
    warns: [/"column3" is proposed as the time of each edge/],
  },
  { title: "RDF in N-Triples", files: { "g.nt": rdf }, graph: rdfRead, warns: [twoLiterals], reports: [twoLiterals] },
  { title: "packed N-Triples", files: { "g.nt.gz": gzipSync(rdf) }, graph: rdfRead, warns: [twoLiterals] },
  {
    title: "N-Triples by another name",
    files: { "g.txt": lines("<http://a> <http://p> <http://b> .", "<http://b> <http://p> <http://c> .") },
    graph: { nodes: 3, edges: 2 },
  },
  {
    title: "N-Quads",
    files: { "g.nq": lines("<http://a> <http://p> <http://b> .", "<http://a> <http://p> <http://b> <http://g> .") },
    graph: { nodes: 2, edges: 1, ids: ["http://a", "http://b"], edgeTypes: ["http://p"], directed: true },
  },
  { title: "Turtle", files: { "g.ttl": turtle }, graph: rdfRead, warns: [twoLiterals], reports: [twoLiterals] },
  { title: "packed Turtle", files: { "g.ttl.gz": gzipSync(turtle) }, graph: rdfRead, warns: [twoLiterals] },
  {
    title: "Turtle by another name, as SPARQL writes it",
    files: { "g.txt": lines("PREFIX ex: <http://x/>", "ex:a ex:p ex:b , ex:c .") },
    graph: { nodes: 3, edges: 2, ids: ["http://x/a"], edgeTypes: ["http://x/p"], directed: true },
  },
  {
    title: "Turtle of whole addresses",
    files: { "g.ttl": lines("<http://x/a> a <http://x/T> .") },
    graph: { nodes: 2, edges: 1, ids: ["http://x/a", "http://x/T"] },
  },
  {
    title: "graphs of TriG, as one",
    files: { "g.trig": lines("@prefix ex: <http://x/> .", "ex:g { ex:a ex:p ex:b }", "{ ex:b ex:q ex:c }") },
    graph: { nodes: 3, edges: 2, edgeTypes: ["http://x/p", "http://x/q"], directed: true },
  },
  {
    title: "Turtle that begins with a node without a name",
    files: { "g.ttl": lines("[ <http://x/p> <http://x/b> ] .", "<http://x/b> <http://x/p> <http://x/c> .") },
    graph: { nodes: 3, edges: 2, ids: ["_:[1]", "http://x/b"] },
  },
  {
    title: "RDF in XML",
    files: { "g.rdf": '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>\n' },
    graph: null,
    warns: [/g\.rdf holds RDF in XML: rdflib/],
  },
  {
    title: "Turtle with a prefix that is not declared",
    files: { "g.ttl": lines("@prefix ex: <http://x/> .", "ex:a foaf:knows ex:b .") },
    graph: null,
    warns: [/g\.ttl, line 2: the prefix "foaf:" is not declared; expected RDF in Turtle/],
  },
  {
    title: "N-Triples that say nothing but texts",
    files: { "g.nt": lines('<http://a> <http://p> "b" .') },
    graph: null,
    warns: [/g\.nt holds 1 triples, all of which end in a literal/],
  },
];

const published = new URL("../../../shared/datasets/mutag-rdf/triples.nt.gz", import.meta.url);
export const hasTriplesSample = existsSync(published);

/** The RDF version of MUTAG, whose triples are counted in its README. */
export function triplesSample(): Readonly<Record<string, Uint8Array>> {
  return { "triples.nt.gz": readFileSync(published) };
}
