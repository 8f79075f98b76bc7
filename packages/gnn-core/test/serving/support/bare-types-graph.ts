import { type Growth, table } from "./typed-graphs.ts";

export const numAuthors = 10;
const numPapers = 16;

/** Papers have features and authors none, so that models learn a row for each author. */
export function bareAuthorsGrowth(): Growth {
  const words = (paper: number) => [Math.cos(3 * paper), (paper % 5) - 2].map((x) => Number(x.toFixed(3)));
  const papers = Array.from({ length: numPapers }, (_, i) => {
    return [`p${i}`, ...words(i), `c${i % 3}`, ["train", "val", "test"][(i >> 1) % 3] as string];
  });
  const writes = Array.from({ length: 34 }, (_, i) => [`a${(i * 7) % numAuthors}`, `p${(i * i + 3) % numPapers}`]);
  const authors = Array.from({ length: numAuthors }, (_, i) => [`a${i}`]);
  const files = (isAfter: boolean) => ({
    // In another order, so that nodes and learned rows are counted otherwise.
    "authors.csv": table("id", isAfter ? authors.toReversed() : authors),
    "papers.csv": table("id,x,y,label,split", isAfter ? [...papers, ["new", ...words(70), "", "none"]] : papers),
    "writes.csv": table("src,dst", isAfter ? [...writes, ["a2", "new"], ["a7", "new"]] : writes),
  });
  const [x, y] = words(70) as [number, number];
  const edges = ["a2", "a7"].map((from) => ({ relation: "writes", from }));
  const nodeTypes = {
    author: { files: ["authors.csv"], id: "id" },
    paper: { files: ["papers.csv"], id: "id", label: "label", split: "split", features: { columns: ["x", "y"] } },
  };
  const ends = { files: ["writes.csv"], src: "src", dst: "dst" };
  const relations = [{ source: "author", name: "writes", target: "paper", ...ends }];
  return {
    spec: { nodeTypes, relations },
    before: files(false),
    after: files(true),
    given: [{ id: "new", type: "paper", features: { x, y }, edges }],
    ids: ["new"],
  };
}
