import { Text } from "@mantine/core";
import type { NodeRole } from "../../services/column-roles.ts";
import { type MissingFeatures, type PreviewFile, tableKey } from "../../services/dataset-mapping.ts";
import { joinedView, type NodeTables, withJoinedRole } from "../../services/joined-files.ts";
import { ColumnTable } from "./ColumnTable.tsx";

interface JoinedColumnsProps<T extends NodeTables> {
  readonly file: PreviewFile;
  readonly tables: T;
  /** Whose columns they are, as a sentence names them */
  readonly whose: string;
  readonly roles: readonly NodeRole[];
  readonly missing: MissingFeatures;
  readonly onChange: (tables: T) => void;
  readonly onMissing: (missing: MissingFeatures) => void;
}

/** The columns that nodes get of a further table, by the names that they have among theirs */
export function JoinedColumns<T extends NodeTables>(props: JoinedColumnsProps<T>) {
  const { file, tables, whose, roles, missing, onChange, onMissing } = props;
  const view = joinedView(file, tables);
  const id = tables.joins[tableKey(file)]?.id ?? null;
  return (
    <>
      <Text size="sm" c="dimmed">
        More columns of {whose}
        {id === null ? "" : `, by "${id}"`}. Its rows go to those that have their ids, in any order; what has no row
        here gets nothing of it.
      </Text>
      <ColumnTable
        file={view.file}
        roles={roles}
        chosen={view.chosen}
        onChoose={(column, role) => onChange(withJoinedRole(tables, file, column, role as NodeRole))}
        missing={missing}
        onMissing={onMissing}
      />
    </>
  );
}
