import { formatCount, formatFigure, formatPercent } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { type Fact, Facts } from "../Facts/Facts.tsx";

type Report = NonNullable<JobSnapshot["partition"]>;

/** How well the graph was cut: even shares, few edges between parts, and what that costs each step. */
export function PartitionTable({ report }: { readonly report: Report }) {
  return (
    <>
      <Facts facts={[...factsOfCut(report), ...factsOfBalance(report.imbalance)]} />
      <DataTable label="Parts" columns={columns} rows={report.parts} rowKey={(part) => part.part} minWidth={720} />
      {report.types && (
        <DataTable
          label="Types of nodes"
          columns={typeColumns}
          rows={report.types}
          rowKey={({ type }) => type}
          minWidth={720}
        />
      )}
    </>
  );
}

const columns: readonly Column<Report["parts"][number]>[] = [
  { head: "Part", cell: (part) => part.part },
  { head: "Nodes", align: "right", cell: (part) => formatCount(part.nodes) },
  { head: "In-edges", align: "right", cell: (part) => formatCount(part.edges) },
  { head: "Training nodes", align: "right", cell: (part) => formatCount(part.trainNodes) },
  { head: "Validation", align: "right", cell: (part) => formatCount(part.valNodes) },
  { head: "Test", align: "right", cell: (part) => formatCount(part.testNodes) },
  {
    head: "Halo nodes",
    hint: "Nodes of other parts that this one reads",
    align: "right",
    cell: (part) => formatCount(part.haloNodes),
  },
  { head: "Halo ratio", hint: "Halo nodes ÷ nodes", align: "right", cell: (part) => formatFigure(part.haloRatio) },
];

/** Shares of the parts, in their order. */
const shares = (counts: readonly number[]) => counts.map(formatCount).join(" · ");

const typeColumns: readonly Column<NonNullable<Report["types"]>[number]>[] = [
  { head: "Type", cell: ({ type }) => type },
  { head: "Nodes", hint: "The parts in their order", align: "right", cell: ({ nodes }) => shares(nodes) },
  {
    head: "Imbalance",
    hint: "Nodes of the largest part ÷ mean",
    align: "right",
    cell: ({ nodes }) => times(unevenness(nodes)),
  },
  { head: "In-edges", hint: "The parts in their order", align: "right", cell: ({ edges }) => shares(edges) },
  {
    head: "Their imbalance",
    hint: "In-edges of the largest part ÷ mean",
    align: "right",
    cell: ({ edges }) => times(unevenness(edges)),
  },
  {
    head: "Halo nodes",
    hint: "Nodes of other parts that each part reads",
    align: "right",
    cell: ({ haloNodes }) => shares(haloNodes),
  },
];

/** Largest over mean; 1 when there is nothing to share out. */
function unevenness(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total === 0 ? 1 : (Math.max(...counts) * counts.length) / total;
}

const times = (factor: number) => `× ${factor.toFixed(2)}`;

function factsOfCut(report: Report): Fact[] {
  const facts = [
    { label: "Edges cut", value: formatPercent(report.edgeCut), hint: "Edges whose ends lie in different parts" },
    {
      label: "Communication volume",
      value: formatCount(report.communicationVolume),
      hint: "Rows fetched when every part fetches each outside in-neighbour once",
    },
    {
      label: "Halo per node",
      value: formatFigure(report.haloRatio),
      hint: "Nodes of other parts that a part reads, for each node of its own",
    },
    {
      label: "Remote reads per node",
      value: formatFigure(report.expectedRemoteReads),
      hint: "In-neighbours that lie in another part, on average",
    },
  ];
  if (report.remoteReadsPerStep === null) return facts;
  const perStep = {
    label: "Remote reads per step",
    value: formatCount(Math.round(report.remoteReadsPerStep)),
    hint: "Rows of other parts that one rank is expected to read, with this job's fanouts and batch size",
  };
  return [...facts, perStep];
}

/** Only of what was measured. */
function factsOfBalance(imbalance: Report["imbalance"]): Fact[] {
  const factors = [
    ["nodes", imbalance.nodes],
    ["edges", imbalance.edges],
    ["training nodes", imbalance.train],
    ["validation nodes", imbalance.val],
    ["test nodes", imbalance.test],
  ] as const;
  return factors.flatMap(([what, factor]) =>
    factor === null ? [] : [{ label: `Imbalance, ${what}`, value: times(factor), hint: "Largest part ÷ mean" }],
  );
}
