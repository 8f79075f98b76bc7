import { Text } from "@mantine/core";
import {
  type DatasetMapping,
  edgeRoles,
  type FileUse,
  isMatrix,
  nodeRoles,
  type PreviewFile,
  type Role,
  withRole,
} from "../../services/dataset-mapping.ts";
import { ColumnTable } from "./ColumnTable.tsx";
import { FileCard, type ReaderChoice } from "./FileCard.tsx";

interface ColumnMappingProps extends ReaderChoice {
  readonly file: PreviewFile;
  readonly mapping: DatasetMapping;
  readonly onChange: (mapping: DatasetMapping) => void;
}

/** The first rows of one file under selectors that say what each column means. */
export function ColumnMapping({ file, mapping, onChange, ...reader }: ColumnMappingProps) {
  const use = mapping.uses[file.name] ?? "ignore";
  const uses: readonly FileUse[] = isMatrix(file) ? ["features", "ignore"] : ["edges", "nodes", "ignore"];
  return (
    <FileCard
      file={file}
      uses={uses.map((value) => ({ value, label: useNames[value] }))}
      use={use}
      onUse={(value) => onChange({ ...mapping, uses: { ...mapping.uses, [file.name]: value } })}
      {...reader}
    >
      {(use === "edges" || use === "nodes") && (
        <ColumnTable
          file={file}
          roles={use === "edges" ? edgeRoles : nodeRoles}
          chosen={mapping[use]}
          onChoose={(column, role) => onChange({ ...mapping, [use]: withRole<Role>(mapping[use], column, role) })}
        />
      )}
      {use === "features" && (
        <Text size="sm" c="dimmed">
          A matrix with one row per row of the nodes file, in that file's order.
        </Text>
      )}
    </FileCard>
  );
}

const useNames: Readonly<Record<FileUse, string>> = {
  edges: "Edges",
  nodes: "Nodes",
  features: "Feature matrix",
  ignore: "Leave out",
};
