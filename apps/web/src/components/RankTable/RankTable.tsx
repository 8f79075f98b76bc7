import { Group, Text } from "@mantine/core";
import { absent, formatBytes, formatCompact, formatCount, formatFigure } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { paletteColor } from "../../theme.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";
import classes from "./RankTable.module.css";

type Rank = JobSnapshot["ranks"][number];
const parts = ["sample", "gather", "forward", "backward", "allReduce", "optimizer", "wait"] as const;
const partNames: Readonly<Record<(typeof parts)[number], string>> = {
  sample: "sample",
  gather: "gather",
  forward: "forward",
  backward: "backward",
  allReduce: "all-reduce",
  optimizer: "optimizer",
  wait: "wait",
};

/** What each rank does, how fast, and where the milliseconds of a step go. */
export function RankTable({ ranks }: { readonly ranks: readonly Rank[] }) {
  const slowest = Math.max(...ranks.map((rank) => totalOf(rank)), 1e-9);
  return (
    <>
      <Legend />
      <DataTable label="Ranks" columns={columnsFor(slowest)} rows={ranks} rowKey={(rank) => rank.name} minWidth={780} />
    </>
  );
}

/** The colours of the parts of a step; the bars themselves say them in words. */
function Legend() {
  return (
    <Group gap="md" aria-hidden="true">
      {parts.map((part, index) => (
        <Group key={part} gap={6}>
          <span className={classes.swatch} style={{ background: paletteColor(index) }} />
          <Text size="xs" c="dimmed">
            {partNames[part]}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function columnsFor(slowest: number): readonly Column<Rank>[] {
  return [
    { head: "Rank", cell: (rank) => rank.name },
    { head: "Host and device", cell: (rank) => `${rank.host} · ${rank.device}` },
    { head: "State", cell: (rank) => <StateBadge state={rank.state} size="sm" /> },
    { head: "Step", align: "right", cell: (rank) => formatCount(rank.step) },
    { head: "Seeds/s", align: "right", cell: (rank) => formatCompact(rank.seedsPerSecond) },
    { head: "Step, ms", width: 240, cell: (rank) => <Breakdown rank={rank} slowest={slowest} /> },
    {
      head: "Rows read",
      align: "right",
      cell: remoteShare,
      cellProps: ({ localRows, remoteRows }) => ({
        title: `${formatCount(localRows)} local, ${formatCount(remoteRows)} remote`,
      }),
    },
    { head: "Memory", align: "right", cell: (rank) => formatBytes(rank.rssBytes) },
  ];
}

function remoteShare({ localRows, remoteRows }: Rank): string {
  const all = (localRows ?? 0) + (remoteRows ?? 0);
  return all > 0 ? `${(((remoteRows ?? 0) / all) * 100).toFixed(0)} % remote` : absent;
}

function totalOf(rank: Rank): number {
  return rank.breakdown ? parts.reduce((sum, part) => sum + (rank.breakdown?.[part] ?? 0), 0) : 0;
}

function Breakdown({ rank, slowest }: { readonly rank: Rank; readonly slowest: number }) {
  const { breakdown } = rank;
  if (!breakdown) return <Text size="sm">–</Text>;
  const total = totalOf(rank);
  const words = parts.map((part) => `${partNames[part]} ${formatFigure(breakdown[part])} ms`).join(", ");
  return (
    <div className={classes.breakdown} title={words} role="img" aria-label={words}>
      <div className={classes.bar} style={{ width: `${(total / slowest) * 100}%` }}>
        {parts.map((part, index) => (
          <span key={part} style={{ flexGrow: breakdown[part], background: paletteColor(index) }} />
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {formatFigure(total)}
      </Text>
    </div>
  );
}
