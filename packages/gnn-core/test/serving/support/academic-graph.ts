import type { NewNode } from "../../../src/serving/new-nodes/new-node.ts";
import { type Growth, table } from "./typed-graphs.ts";

const [numAuthors, numPapers, numVenues] = [12, 18, 3];
const rounded = (x: number) => Number(x.toFixed(3));
const age = (author: number) => rounded(Math.sin(author));
const words = (paper: number) => [rounded(Math.cos(3 * paper)), (paper % 5) - 2];
const kind = (paper: number) => ["long", "short", "demo"][paper % 3] as string;
const size = (venue: number) => [rounded(Math.sin(5 * venue)), venue, 0];

export interface Form {
  /** Ids of authors and papers are alike, so that those of the graph are `type/id` */
  readonly shareIds: boolean;
  /** `writes` has weights, other relations have none */
  readonly hasWeights: boolean;
  readonly duplicates?: "drop" | "keep";
  readonly selfLoops?: "keep" | "drop";
}

type Edge = readonly [from: string, to: string, weight?: number];

/**
 * Authors write papers, papers cite papers, papers are alike (which goes both ways), papers are in venues. Authors have
 * a number, papers two and kinds, venues a matrix.
 */
export function academicGrowth({ shareIds, hasWeights, ...rules }: Form): Growth {
  const [a, p] = shareIds ? ["", ""] : ["a", "p"];
  const known = {
    writes: Array.from(
      { length: 30 },
      (_, i): Edge => [`${a}${(i * 7) % numAuthors}`, `${p}${(i * i + 3) % numPapers}`, 0.5 + (i % 4)],
    ),
    cites: Array.from(
      { length: 24 },
      (_, i): Edge => [`${p}${(i * 5) % numPapers}`, `${p}${(i * i + 2 * i + 1) % numPapers}`],
    ),
    alike: Array.from({ length: 12 }, (_, i): Edge => [`${p}${i}`, `${p}${(i * 3 + 1) % numPapers}`]),
    in: Array.from({ length: numPapers }, (_, i): Edge => [`${p}${i}`, `v${i % numVenues}`]),
  };
  const added: Record<keyof typeof known, Edge[]> = {
    writes: [
      ["ada", `${p}3`, 2],
      ["ada", "new1", 0.25],
      [`${a}5`, "new1", 1.5],
      ["ada", `${p}3`, 7],
    ],
    cites: [
      ["new1", `${p}2`],
      ["new1", "new2"],
      ["new2", "new1"],
      [`${p}7`, "new2"],
      ["new2", "new2"],
    ],
    alike: [
      ["new1", "new2"],
      [`${p}4`, "new2"],
      ["new2", "new1"],
    ],
    in: [["new1", "v2"]],
  };
  const weighted = (weight: number | undefined) => (hasWeights ? { weight: weight as number } : {});
  const given: NewNode[] = [
    {
      id: "ada",
      type: "author",
      features: { age: age(40) },
      edges: [
        { relation: "writes", to: `${p}3`, ...weighted(2) },
        { relation: "writes", to: "new1", ...weighted(0.25) },
        // A row that is there twice belongs to the node that gives the first of both.
        { relation: "writes", to: `${p}3`, ...weighted(7) },
      ],
    },
    {
      id: "new1",
      type: "paper",
      features: paperFeatures(50),
      edges: [
        { relation: "writes", from: `${a}5`, ...weighted(1.5) },
        { relation: "cites", to: `${p}2` },
        { relation: "cites", to: "new2" },
        { relation: "alike", to: "new2" },
        { relation: "in", to: "v2" },
      ],
    },
    {
      id: "new2",
      type: "paper",
      features: paperFeatures(51),
      edges: [
        { relation: "cites", to: "new1" },
        { relation: "cites", from: `${p}7` },
        { relation: "cites", to: "new2" },
        { relation: "alike", from: `${p}4` },
        { relation: "alike", to: "new1" },
      ],
    },
    { id: "alone", type: "author", features: { age: null }, edges: [] },
  ];
  const files = (isAfter: boolean) => {
    const authors = Array.from({ length: numAuthors }, (_, i) => [`${a}${i}`, age(i)]);
    const papers = Array.from({ length: numPapers }, (_, i) => {
      return [`${p}${i}`, ...words(i), kind(i), `c${i % 3}`, ["train", "val", "test"][(i >> 1) % 3] as string];
    });
    const fresh = [50, 51].map((i, n) => [`new${n + 1}`, ...words(i), kind(i), "", "none"]);
    const edges = (name: keyof typeof known) =>
      (isAfter ? [...known[name], ...added[name]] : known[name]).map((edge) =>
        name === "writes" ? edge : edge.slice(0, 2),
      );
    return {
      "authors.csv": table("id,age", isAfter ? [...authors, ["ada", age(40)], ["alone", ""]] : authors),
      "papers.csv": table("id,x,y,kind,label,split", isAfter ? [...papers, ...fresh] : papers),
      "venues.csv": table(
        "id,u,v,w",
        Array.from({ length: numVenues }, (_, i) => [`v${i}`, ...size(i)]),
      ),
      "writes.csv": table("src,dst,weight", edges("writes") as never),
      "cites.csv": table("src,dst", edges("cites") as never),
      "alike.csv": table("src,dst", edges("alike") as never),
      "in.csv": table("src,dst", edges("in") as never),
    };
  };
  const relation = (source: string, name: string, target: string, more = {}) => ({
    source,
    name,
    target,
    files: [`${name}.csv`],
    src: "src",
    dst: "dst",
    ...more,
  });
  const ids = given.map(({ id, type }) => (shareIds ? `${type}/${id}` : id));
  const nodeTypes = {
    author: {
      files: ["authors.csv"],
      id: "id",
      features: { columns: ["age"], missing: { age: { fill: 0.5, indicator: true } } },
    },
    paper: {
      files: ["papers.csv"],
      id: "id",
      label: "label",
      split: "split",
      features: { columns: ["x", "y"], oneHot: ["kind"] },
    },
    venue: { files: ["venues.csv"], id: "id", features: { columns: ["u", "v", "w"] } },
  };
  const relations = [
    relation("author", "writes", "paper", hasWeights ? { weight: "weight" } : {}),
    relation("paper", "cites", "paper"),
    relation("paper", "alike", "paper", { reverse: "alike" }),
    relation("paper", "in", "venue", { reverse: false }),
  ];
  return { spec: { nodeTypes, relations, ...rules }, before: files(false), after: files(true), given, ids };
}

function paperFeatures(paper: number) {
  const [x, y] = words(paper);
  return { x: x as number, y: y as number, kind: kind(paper) };
}
