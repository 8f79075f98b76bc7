import { Group, ScrollArea, Table, Text } from "@mantine/core";
import { formatBytes, formatCompact, formatCount, formatFigure } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { paletteColor } from "../../theme.ts";
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
  const remote = (rank: Rank) => {
    const all = (rank.localRows ?? 0) + (rank.remoteRows ?? 0);
    return all > 0 ? `${(((rank.remoteRows ?? 0) / all) * 100).toFixed(0)} % remote` : "–";
  };
  return (
    <>
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
      <ScrollArea>
        <Table miw={780} verticalSpacing="xs" aria-label="Ranks">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rank</Table.Th>
              <Table.Th>Host and device</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th ta="right">Step</Table.Th>
              <Table.Th ta="right">Seeds/s</Table.Th>
              <Table.Th w={240}>Step, ms</Table.Th>
              <Table.Th ta="right">Rows read</Table.Th>
              <Table.Th ta="right">Memory</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="num">
            {ranks.map((rank) => (
              <Table.Tr key={rank.rank}>
                <Table.Td>{rank.name}</Table.Td>
                <Table.Td>
                  {rank.host} · {rank.device}
                </Table.Td>
                <Table.Td>
                  <StateBadge state={rank.state} size="sm" />
                </Table.Td>
                <Table.Td ta="right">{formatCount(rank.step)}</Table.Td>
                <Table.Td ta="right">{formatCompact(rank.seedsPerSecond)}</Table.Td>
                <Table.Td>
                  <Breakdown rank={rank} slowest={slowest} />
                </Table.Td>
                <Table.Td
                  ta="right"
                  title={`${formatCount(rank.localRows)} local, ${formatCount(rank.remoteRows)} remote`}
                >
                  {remote(rank)}
                </Table.Td>
                <Table.Td ta="right">{formatBytes(rank.rssBytes)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </>
  );
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
