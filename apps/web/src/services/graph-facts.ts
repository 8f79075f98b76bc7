import { formatCompact, formatCount } from "./format.ts";

/** Bars of a degree histogram, named by the degrees in each bin: edges [0, 1, 2, 4] → "0", "1", "2–3". */
export function degreeBars({ edges, counts }: { edges: readonly number[]; counts: readonly number[] }) {
  return counts.map((count, i) => {
    const low = edges[i] ?? 0;
    const high = (edges[i + 1] ?? low + 1) - 1;
    return { label: high > low ? `${formatCompact(low)}–${formatCompact(high)}` : formatCompact(low), count };
  });
}

/** Bars of the splits, in the order of their use. */
export function splitBars(splits: readonly { readonly split: string; readonly count: number }[]) {
  const order = ["train", "val", "test", "none"];
  return splits
    .toSorted((a, b) => order.indexOf(a.split) - order.indexOf(b.split))
    .map(({ split, count }) => ({ label: split, count }));
}

interface Report {
  readonly rowsRead: number;
  readonly duplicateEdges: number;
  readonly selfLoops: number;
  readonly danglingIds: number;
  readonly isolatedNodes: number;
}

/** The report as sentences; what did not occur is not mentioned, but one line always says how much was read. */
export function reportLines(report: Report): string[] {
  const found = [
    ...line(report.duplicateEdges, "edge appeared more than once", "edges appeared more than once"),
    ...line(report.selfLoops, "edge led from a node to itself", "edges led from a node to itself"),
    ...line(report.danglingIds, "id in the edges was not among the nodes", "ids in the edges were not among the nodes"),
    ...line(report.isolatedNodes, "node has no edge", "nodes have no edge"),
  ];
  return [
    `${formatCount(report.rowsRead)} rows were read`,
    ...(found.length > 0 ? found : ["Nothing unusual was found"]),
  ];
}

function line(count: number, one: string, many: string): string[] {
  return count > 0 ? [`${formatCount(count)} ${count === 1 ? one : many}`] : [];
}
