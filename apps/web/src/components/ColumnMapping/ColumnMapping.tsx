import { Badge, Button, Group, NativeSelect, ScrollArea, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import {
  type DatasetMapping,
  edgeRoles,
  type FileUse,
  isMatrix,
  nodeRoles,
  type PreviewFile,
  type Role,
  roleHelp,
  roleNames,
  withRole,
} from "../../services/dataset-mapping.ts";
import type { ChosenReaders } from "../../services/datasets.ts";
import { formatBytes, formatCount } from "../../services/format.ts";
import { FileReading } from "../FileReading/FileReading.tsx";
import classes from "./ColumnMapping.module.css";

const shownColumns = 24;
const shownRows = 8;

interface ColumnMappingProps {
  readonly file: PreviewFile;
  readonly mapping: DatasetMapping;
  readonly onChange: (mapping: DatasetMapping) => void;
}

interface FileMappingProps extends ColumnMappingProps {
  readonly chosenReader: ChosenReaders[string] | undefined;
  readonly onChooseReader: (choice: ChosenReaders[string]) => void;
}

/** The first rows of one file under selectors that say what each column means. */
export function ColumnMapping({ file, mapping, onChange, chosenReader, onChooseReader }: FileMappingProps) {
  const use = mapping.uses[file.name] ?? "ignore";
  const uses = isMatrix(file) ? ["features", "ignore"] : ["edges", "nodes", "ignore"];
  return (
    <Stack gap="sm" component="section" aria-label={`File ${file.name}`} className={classes.file}>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} className="clip">
            {file.name}
          </Text>
          <Text size="xs" c="dimmed" className="num">
            {file.reader ?? "not read"} · {formatBytes(file.bytes)}
            {file.columns.length > 0 ? ` · ${formatCount(file.columns.length)} columns` : ""}
          </Text>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={`What ${file.name} holds`}
          data={uses.map((value) => ({ value, label: useNames[value as FileUse] }))}
          value={use}
          onChange={(value) => onChange({ ...mapping, uses: { ...mapping.uses, [file.name]: value as FileUse } })}
        />
      </Group>
      {file.problem && (
        <Text size="sm" c="red" role="alert">
          {file.problem}
        </Text>
      )}
      {!isMatrix(file) && <FileReading file={file} chosen={chosenReader} onChoose={onChooseReader} />}
      {(use === "edges" || use === "nodes") && (
        <ColumnTable file={file} use={use} mapping={mapping} onChange={onChange} />
      )}
      {use === "features" && (
        <Text size="sm" c="dimmed">
          A matrix with one row per row of the nodes file, in that file's order.
        </Text>
      )}
    </Stack>
  );
}

const useNames: Readonly<Record<FileUse, string>> = {
  edges: "Edges",
  nodes: "Nodes",
  features: "Feature matrix",
  ignore: "Leave out",
};

function ColumnTable({ file, use, mapping, onChange }: ColumnMappingProps & { readonly use: "edges" | "nodes" }) {
  const [showsAll, setShowsAll] = useState(false);
  const columns = showsAll ? file.columns : file.columns.slice(0, shownColumns);
  const rest = file.columns.length - columns.length;
  const roles: readonly Role[] = use === "edges" ? edgeRoles : nodeRoles;
  const setRole = (column: string, role: Role) =>
    onChange(
      use === "edges"
        ? { ...mapping, edges: withRole<Role>(mapping.edges, column, role) as DatasetMapping["edges"] }
        : { ...mapping, nodes: withRole<Role>(mapping.nodes, column, role) as DatasetMapping["nodes"] },
    );
  return (
    <>
      <ScrollArea type="auto">
        <Table withColumnBorders className={classes.table} aria-label={`First rows of ${file.name}`}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => {
                const role = mapping[use][column.name] ?? "ignore";
                return (
                  <Table.Th key={column.name} className={classes.head} data-used={role !== "ignore"}>
                    <Group justify="space-between" wrap="nowrap" gap={6} mb={6}>
                      <Text size="sm" fw={600} className="clip" title={column.name}>
                        {column.name}
                      </Text>
                      <Badge size="xs" variant="default" radius="sm" tt="none" fw={400}>
                        {column.type}
                      </Badge>
                    </Group>
                    <NativeSelect
                      size="xs"
                      aria-label={`Role of ${column.name} in ${file.name}`}
                      title={roleHelp[role]}
                      data={roles.map((value) => ({ value, label: roleNames[value] }))}
                      value={role}
                      onChange={(event) => setRole(column.name, event.currentTarget.value as Role)}
                    />
                  </Table.Th>
                );
              })}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="num">
            {file.rows.slice(0, shownRows).map((row, index) => (
              // Rows of a preview have no identity but their place.
              <Table.Tr key={index}>
                {columns.map((column, at) => (
                  <Table.Td key={column.name} className={classes.cell} title={row[at] ?? "null"}>
                    {row[at] === null || row[at] === undefined || row[at] === "" ? <em>empty</em> : row[at]}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
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
