import { ScrollArea, Table } from "@mantine/core";
import { formatCount, formatFigure, formatPercent } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { Facts } from "../Facts/Facts.tsx";

type Report = NonNullable<JobSnapshot["partition"]>;

/** How well the graph was cut: even shares, few edges between parts. */
export function PartitionTable({ report }: { readonly report: Report }) {
  return (
    <>
      <Facts
        facts={[
          { label: "Edges cut", value: formatPercent(report.edgeCut), hint: "Edges whose ends lie in different parts" },
          {
            label: "Remote reads per node",
            value: formatFigure(report.expectedRemoteReads),
            hint: "In-neighbours that lie in another part, on average",
          },
          { label: "Communication volume", value: formatCount(report.communicationVolume) },
          { label: "Imbalance, nodes", value: `× ${report.imbalance.nodes.toFixed(2)}`, hint: "Largest part ÷ mean" },
          { label: "Imbalance, edges", value: `× ${report.imbalance.edges.toFixed(2)}`, hint: "Largest part ÷ mean" },
          {
            label: "Imbalance, training nodes",
            value: `× ${report.imbalance.train.toFixed(2)}`,
            hint: "Largest part ÷ mean",
          },
        ]}
      />
      <ScrollArea>
        <Table miw={520} aria-label="Parts">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Part</Table.Th>
              <Table.Th ta="right">Nodes</Table.Th>
              <Table.Th ta="right">In-edges</Table.Th>
              <Table.Th ta="right">Training nodes</Table.Th>
              <Table.Th ta="right" title="Nodes of other parts that this one reads">
                Halo nodes
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
                <Table.Td ta="right">{formatCount(part.haloNodes)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </>
  );
}
