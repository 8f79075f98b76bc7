import { Button } from "@mantine/core";
import type { projectUseQuery } from "../../services/documents/projects.ts";
import { absent, formatCount, formatFigure } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { formatCost } from "../../services/use-span.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";

type Answer = ResultOf<typeof projectUseQuery>;
export type LimitedProject = Answer["projects"][number];
type Used = Answer["projectUse"]["items"][number];

interface ProjectTableProps {
  readonly use: Answer["projectUse"];
  readonly projects: readonly LimitedProject[];
  /** Left out: the limits are somebody else's to set. */
  readonly onLimits?: (projectId: string) => void;
}

/** Each project with what it used in the span, and what it holds now of what it may. */
export function ProjectTable({ use: { items, prices }, projects, onLimits }: ProjectTableProps) {
  const limitsOf = ({ projectId }: Used) => projects.find(({ id }) => id === projectId)?.limits;
  const columns: readonly Column<Used>[] = [
    { head: "Project", isRowHead: true, cell: ({ name }) => name },
    { head: "Rank hours", align: "right", cell: ({ rankHours }) => formatFigure(rankHours) },
    { head: "Device hours", align: "right", cell: ({ deviceHours }) => formatFigure(deviceHours) },
    {
      head: "Cost",
      align: "right",
      hint: "By the prices below",
      cell: ({ cost }) => (cost === null || !prices ? absent : formatCost(cost, prices.currency)),
    },
    { head: "Slots held", align: "right", cell: (used) => ofLimit(used.heldSlots, limitsOf(used)?.slots) },
    { head: "Devices held", align: "right", cell: (used) => ofLimit(used.heldDevices, limitsOf(used)?.devices) },
    { head: "Jobs waiting", align: "right", cell: (used) => ofLimit(used.waitingJobs, limitsOf(used)?.waitingJobs) },
    {
      head: "Rank hours this month",
      align: "right",
      cell: (used) => ofLimit(used.monthRankHours, limitsOf(used)?.monthlyRankHours),
    },
  ];
  return (
    <DataTable
      label="Projects"
      columns={onLimits ? [...columns, limitsColumn(onLimits)] : columns}
      rows={items}
      rowKey={({ projectId }) => projectId}
      minWidth={860}
    />
  );
}

function limitsColumn(onLimits: (projectId: string) => void): Column<Used> {
  return {
    head: "Limits",
    isHeadHidden: true,
    cell: ({ projectId, name }) => (
      <Button size="compact-xs" variant="default" aria-label={`Limits of ${name}`} onClick={() => onLimits(projectId)}>
        Limits
      </Button>
    ),
  };
}

/** `3 of 8`, or what there is where there is no limit */
function ofLimit(now: number, limit: number | null | undefined): string {
  const shown = Number.isInteger(now) ? formatCount(now) : formatFigure(now);
  return limit === null || limit === undefined ? shown : `${shown} of ${formatFigure(limit)}`;
}
