import { Stack, Text } from "@mantine/core";
import { absent, formatCount, formatFigure, formatPercent } from "../../services/format.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import type { GraphProfile } from "./graph-profile.ts";
import { MiniHistogram } from "./MiniHistogram.tsx";

type Profiled = GraphProfile["columns"][number];

interface ColumnsPanelProps {
  readonly profile: GraphProfile;
  /** Names of columns that were found in the files and not mapped */
  readonly unused: readonly string[];
}

/** The mapped columns: what each holds, what is missing, and how its numbers are distributed. */
export function ColumnsPanel({ profile: { columns, columnsLeftOut }, unused }: ColumnsPanelProps) {
  return (
    <Panel title="Columns" help="What was read of each mapped column, over all of its rows.">
      <Stack gap="xs">
        <DataTable
          label="Columns"
          columns={tableColumns}
          rows={columns}
          rowKey={({ table, type = "", name, role }) => `${table} ${type} ${name} ${role}`}
          minWidth={760}
        />
        {columnsLeftOut > 0 && (
          <Text size="sm" c="dimmed">
            {formatCount(columnsLeftOut)} further columns were read and are not listed.
          </Text>
        )}
        {unused.length > 0 && (
          <Text size="sm" c="dimmed">
            Not used: {unused.join(", ")}.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

const tableColumns: readonly Column<Profiled>[] = [
  { head: "Column", isRowHead: true, cell: ({ name }) => name },
  { head: "Of", cell: ({ table, type }) => (type === undefined ? table : `${table}: ${type}`) },
  { head: "Read as", cell: ({ role }) => role },
  { head: "Type", cell: ({ numbers, role }) => (numbers || numberRoles.has(role) ? "number" : "text") },
  { head: "Missing", align: "right", cell: missingText },
  { head: "Distinct", align: "right", cell: distinctText },
  { head: "Range", cell: ({ numbers }) => (numbers ? rangeText(numbers) : absent) },
  { head: "Mean ± deviation", cell: ({ numbers }) => (numbers ? meanText(numbers) : absent) },
  {
    head: "Distribution",
    cell: ({ numbers, name }) =>
      numbers && numbers.min < numbers.max ? <MiniHistogram name={name} {...numbers.histogram} /> : absent,
  },
];

const numberRoles: ReadonlySet<string> = new Set(["feature", "target", "weight"]);

function missingText({ missing, rows }: Profiled): string {
  return missing === 0 ? "0" : `${formatCount(missing)} (${formatPercent(missing / Math.max(1, rows))})`;
}

function distinctText({ distinct, numbers, role }: Profiled): string {
  if (numbers || numberRoles.has(role) || role === "id") return absent;
  return distinct === null ? "over 10,000" : formatCount(distinct);
}

function rangeText({ min, max }: NonNullable<Profiled["numbers"]>): string {
  return min === max ? `always ${formatFigure(min)}` : `${formatFigure(min)} to ${formatFigure(max)}`;
}

function meanText({ mean, deviation }: NonNullable<Profiled["numbers"]>): string {
  return `${formatFigure(mean)} ± ${formatFigure(deviation)}`;
}
