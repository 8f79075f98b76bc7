import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { type DatasetMapping, type FileUse, isMatrix, type PreviewFile } from "../../services/dataset-mapping.ts";
import type { ChosenReaders } from "../../services/datasets.ts";
import { formatBytes, formatCount } from "../../services/format.ts";
import { FileReading } from "../FileReading/FileReading.tsx";
import classes from "./ColumnMapping.module.css";
import { ColumnTable } from "./ColumnTable.tsx";

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
