import { ScrollArea, Table } from "@mantine/core";
import { formatCount, formatFigure, formatPercent } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { Facts } from "../Facts/Facts.tsx";

type Report = NonNullable<JobSnapshot["partition"]>;

/** How well the graph was cut: even shares, few edges between parts, and what that costs each step. */
export function PartitionTable({ report }: { readonly report: Report }) {
  const { imbalance } = report;
  const uneven = (what: string, factor: number | null) =>
    factor === null
      ? []
      : [{ label: `Imbalance, ${what}`, value: `× ${factor.toFixed(2)}`, hint: "Largest part ÷ mean" }];
  return (
    <>
      <Facts
        facts={[
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
          ...(report.remoteReadsPerStep === null
            ? []
            : [
                {
                  label: "Remote reads per step",
                  value: formatCount(Math.round(report.remoteReadsPerStep)),
                  hint: "Rows of other parts that one rank is expected to read, with this job's fanouts and batch size",
                },
              ]),
          ...uneven("nodes", imbalance.nodes),
          ...uneven("edges", imbalance.edges),
          ...uneven("training nodes", imbalance.train),
          ...uneven("validation nodes", imbalance.val),
          ...uneven("test nodes", imbalance.test),
        ]}
      />
      <ScrollArea>
        <Table miw={720} aria-label="Parts">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Part</Table.Th>
              <Table.Th ta="right">Nodes</Table.Th>
              <Table.Th ta="right">In-edges</Table.Th>
              <Table.Th ta="right">Training nodes</Table.Th>
              <Table.Th ta="right">Validation</Table.Th>
              <Table.Th ta="right">Test</Table.Th>
              <Table.Th ta="right" title="Nodes of other parts that this one reads">
                Halo nodes
              </Table.Th>
              <Table.Th ta="right" title="Halo nodes ÷ nodes">
                Halo ratio
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="num">
            {report.parts.map((part) => (
              <Table.Tr key={part.part}>
                <Table.Td>{part.part}</Table.Td>
                <Table.Td ta="right">{formatCount(part.nodes)}</Table.Td>
                <Table.Td ta="right">{formatCount(part.edges)}</Table.Td>
                <Table.Td ta="right">{formatCount(part.trainNodes)}</Table.Td>
                <Table.Td ta="right">{formatCount(part.valNodes)}</Table.Td>
                <Table.Td ta="right">{formatCount(part.testNodes)}</Table.Td>
                <Table.Td ta="right">{formatCount(part.haloNodes)}</Table.Td>
                <Table.Td ta="right">{formatFigure(part.haloRatio)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </>
  );
}
