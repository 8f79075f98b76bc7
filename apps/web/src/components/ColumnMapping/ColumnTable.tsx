import { Badge, Button, Group, NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import { type Role, roleHelp, roleNames, typeName } from "../../services/column-roles.ts";
import { type MissingFeatures, type PreviewColumn, type PreviewFile } from "../../services/dataset-mapping.ts";
import { formatCount } from "../../services/format.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import classes from "./ColumnMapping.module.css";
import { MissingChoice } from "./MissingChoice.tsx";

const shownColumns = 24;
const shownRows = 8;

type Row = readonly (string | null)[];

interface ColumnTableProps {
  readonly file: PreviewFile;
  /** Roles that a column of this file can have */
  readonly roles: readonly Role[];
  readonly chosen: Readonly<Record<string, Role>>;
  readonly onChoose: (column: string, role: Role) => void;
  /** What is taken where features are missing, where that can be chosen */
  readonly missing?: MissingFeatures;
  readonly onMissing?: (missing: MissingFeatures) => void;
}

/** The first rows of a file, with the role of each column above them; of many columns the first until asked for all. */
export function ColumnTable({ file, roles, chosen, onChoose, missing, onMissing }: ColumnTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? file.columns : file.columns.slice(0, shownColumns);
  const rest = file.columns.length - shown.length;
  const columns = shown.map(
    (column, at): Column<Row> => ({
      head: column.name,
      headContent: <RoleHead {...{ file, roles, chosen, onChoose, missing, onMissing, column }} />,
      headProps: { className: classes.head, "data-used": (chosen[column.name] ?? "ignore") !== "ignore" },
      cell: (row) => cellContent(row[at]),
      cellProps: (row) => ({ className: classes.cell, title: row[at] ?? "null" }),
    }),
  );
  return (
    <>
      <DataTable
        label={`First rows of ${file.name}`}
        columns={columns}
        rows={file.rows.slice(0, shownRows)}
        // Rows of a preview have no identity but their place.
        rowKey={(_row, index) => index}
        minWidth={0}
        className={classes.table}
        withColumnBorders
      />
      {rest > 0 && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {formatCount(rest)} more columns with their proposed roles.
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => setShowsAll(true)}>
            Show all
          </Button>
        </Group>
      )}
    </>
  );
}

function cellContent(text: string | null | undefined) {
  return text || <em>empty</em>;
}

type RoleHeadProps = Omit<ColumnTableProps, "missing" | "onMissing"> & {
  readonly missing: MissingFeatures | undefined;
  readonly onMissing: ColumnTableProps["onMissing"] | undefined;
  readonly column: PreviewColumn;
};

function RoleHead({ file, roles, chosen, onChoose, missing, onMissing, column }: RoleHeadProps) {
  const role = chosen[column.name] ?? "ignore";
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap={6} mb={6}>
        <Text size="sm" fw={600} className="clip" title={column.name}>
          {column.name}
        </Text>
        <Badge size="xs" variant="default" radius="sm" tt="none" fw={400}>
          {typeName(column)}
        </Badge>
      </Group>
      <NativeSelect
        size="xs"
        aria-label={`Role of ${column.name} in ${file.name}`}
        title={roleHelp[role]}
        data={roles.map((value) => ({ value, label: roleNames[value] }))}
        value={role}
        onChange={(event) => onChoose(column.name, event.currentTarget.value as Role)}
      />
      {role === "feature" && missing && onMissing && (
        <MissingChoice file={file.name} column={column.name} missing={missing} onChange={onMissing} />
      )}
    </>
  );
}
