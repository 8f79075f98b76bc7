import type { Drift } from "@hopwise/client";
import { Stack, Text } from "@mantine/core";
import { absent, formatFigure, formatPercent } from "../../services/format.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";

interface DriftTableProps {
  readonly drifts: readonly Drift[];
  /** Numbers of the versions that are compared */
  readonly before: number;
  readonly after: number;
}

/** Smaller distances are as likely chance as anything. */
const leastShown = 0.01;

/** How far the distributions of two versions lie apart, the farthest first. */
export function DriftTable({ drifts, before, after }: DriftTableProps) {
  const shown = drifts.filter(({ distance }) => distance >= leastShown);
  if (shown.length === 0) return <Text size="sm">No distribution has moved.</Text>;
  return (
    <Stack gap="xs">
      <DataTable
        label="Drift"
        columns={columnsOf(before, after)}
        rows={shown}
        rowKey={({ what, kind }) => `${what} ${kind}`}
        minWidth={480}
      />
      <Text size="sm" c="dimmed">
        Distance 0 is the same distribution, 1 has nothing in common. From 0.1 on, see how a model that was trained on
        version {before} does on version {after} before it is relied on.
      </Text>
    </Stack>
  );
}

const kinds: Readonly<Record<Drift["kind"], string>> = {
  values: "Values (means)",
  missing: "Missing cells",
  labels: "Shares of classes",
  degrees: "Degrees (medians)",
};

function columnsOf(before: number, after: number): readonly Column<Drift>[] {
  const figure = (kind: Drift["kind"], value: number | null) =>
    value === null ? absent : kind === "missing" ? formatPercent(value) : formatFigure(value);
  return [
    { head: "What has moved", isRowHead: true, cell: ({ what }) => what },
    { head: "Compared", cell: ({ kind }) => kinds[kind] },
    { head: "Distance", align: "right", cell: ({ distance }) => distance.toFixed(2) },
    { head: `Version ${before}`, align: "right", cell: (row) => figure(row.kind, row.before) },
    { head: `Version ${after}`, align: "right", cell: (row) => figure(row.kind, row.after) },
  ];
}
