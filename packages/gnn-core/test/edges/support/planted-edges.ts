import { seededRandom } from "../../support/seeded-random.ts";

export interface PlantedEdges {
  readonly nodes: string;
  readonly edges: string;
  readonly numEdges: number;
  /** Edges without a class */
  readonly numUnknown: number;
  /** The edges with the other class in some rows */
  readonly withLabelsTurned: (rows: readonly number[]) => string;
}

/** How the tables are read. */
export const plantedMapping = {
  edges: { files: ["edges.csv"], src: "from", dst: "to", features: ["amount"], label: "kind", targets: ["score"] },
  nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["x", "y"] } },
  directed: true,
};

export const plantedSplit = { type: "random", val: 0.15, test: 0.25 };

/** What is learnt of the edges, and by how small a head. */
export const plantedTask = {
  type: "edgeClassification",
  target: "kind",
  split: plantedSplit,
  dim: 16,
  hiddenFeats: 32,
};

/**
 * Nodes of two kinds with noisy features, and edges whose class is (kind of source = kind of target) = (amount > 0): of
 * the ends and the feature of an edge neither tells it without the other. The score is amount + 10 · kinds of the ends.
 */
export function plantedEdges(numNodes = 50, numEdges = 500): PlantedEdges {
  const random = seededRandom(11);
  const kinds = Array.from({ length: numNodes }, () => Number(random() < 0.5));
  const noise = () => (random() - 0.5) * 0.6;
  const nodes = kinds.map((kind, i) => `p${i},${(kind + noise()).toFixed(3)},${(1 - kind + noise()).toFixed(3)}`);
  const seen = new Set<string>();
  const rows: (readonly [string, number, string, string])[] = [];
  while (rows.length < numEdges) {
    const [from, to] = [Math.floor(random() * numNodes), Math.floor(random() * numNodes)];
    if (from === to || seen.has(`${from} ${to}`) || seen.has(`${to} ${from}`)) continue;
    seen.add(`${from} ${to}`);
    const amount = (random() - 0.5) * 4;
    const isAlike = (kinds[from] === kinds[to]) === amount > 0;
    const kind = rows.length % 25 === 7 ? "" : isAlike ? "alike" : "unlike";
    const score = amount + 10 * (kinds[from]! + kinds[to]!);
    rows.push([`p${from},p${to}`, amount, kind, score.toFixed(3)]);
  }
  const turned = { alike: "unlike", unlike: "alike", "": "" };
  const csv = (turnedRows: ReadonlySet<number>) => {
    const lines = rows.map(([ends, amount, kind, score], i) => {
      const word = turnedRows.has(i) ? turned[kind as keyof typeof turned] : kind;
      return `${ends},${amount.toFixed(3)},${word},${score}`;
    });
    return `from,to,amount,kind,score\n${lines.join("\n")}\n`;
  };
  return {
    nodes: `id,x,y\n${nodes.join("\n")}\n`,
    edges: csv(new Set()),
    numEdges,
    numUnknown: rows.filter(([, , kind]) => kind === "").length,
    withLabelsTurned: (turnedRows) => csv(new Set(turnedRows)),
  };
}
