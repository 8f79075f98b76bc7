import type { NewNode } from "../../../src/serving/new-nodes/new-node.ts";
import { type Growth, table } from "./typed-graphs.ts";

const numKnown = 30;
const numbers = (node: number) => [Number(Math.sin(node).toFixed(3)), (node % 5) - 2];

export interface TableForm {
  readonly directed?: boolean;
  readonly reverseTypes?: boolean;
}

/** One table of nodes with a column of types, some of them empty, and one of edges with a column of types. */
export function oneTableGrowth({ directed = false, reverseTypes = false }: TableForm): Growth {
  const typeOf = (node: number) => ["user", "item", ""][node % 7 === 6 ? 2 : node % 2] as string;
  const known = Array.from({ length: numKnown }, (_, i) => [
    `n${i}`,
    typeOf(i),
    ...numbers(i),
    `c${i % 3}`,
    ["train", "val", "test"][(i >> 1) % 3] as string,
  ]);
  const edges = Array.from({ length: 70 }, (_, i) => [
    `n${(i * 7) % numKnown}`,
    `n${(i * i + 3 * i + 1) % numKnown}`,
    ["likes", "sees"][i % 2] as string,
    0.5 + (i % 3),
  ]);
  const fresh = [
    { id: "x", type: "user" },
    { id: "y", type: "item" },
    { id: "z", type: "" },
  ].map((node, i) => ({ ...node, numbers: numbers(60 + i) }));
  const added = [
    ["x", "n3", "likes", 2],
    ["n7", "x", "sees", 0.25],
    ["x", "y", "likes", 1],
    ["y", "x", "likes", 4],
    ["y", "x", "sees", 1.5],
    ["z", "z", "sees", 1],
    ["z", "n0", "sees", 3],
    ["z", "n0", "likes", 2],
  ] as const;
  const given = fresh.map(
    ({ id, type, numbers: [a, b] }): NewNode => ({
      id,
      ...(type === "" ? {} : { type }),
      features: { a: a as number, b: b as number },
      edges: added
        .filter(([src, dst]) => (src.startsWith("n") ? dst : src) === id)
        .map(([src, dst, relation, weight]) => ({ relation, weight, ...(src === id ? { to: dst } : { from: src }) })),
    }),
  );
  const rows = fresh.map(({ id, type, numbers: own }) => [id, type, ...own, "", "none"]);
  const files = (isAfter: boolean) => ({
    "nodes.csv": table("id,type,a,b,label,split", isAfter ? [...known, ...rows] : known),
    "edges.csv": table("src,dst,type,weight", isAfter ? [...edges, ...added] : edges),
  });
  const spec = {
    directed,
    edges: { files: ["edges.csv"], src: "src", dst: "dst", type: "type", weight: "weight", reverseTypes },
    nodes: {
      files: ["nodes.csv"],
      id: "id",
      type: "type",
      label: "label",
      split: "split",
      features: { columns: ["a", "b"] },
    },
  };
  return { spec, before: files(false), after: files(true), given, ids: fresh.map(({ id }) => id) };
}
