import { Text } from "@mantine/core";
import { edgeRoles, nodeRoles, type Role, withRole } from "../../services/column-roles.ts";
import {
  type DatasetMapping,
  type FileUse,
  isMatrix,
  type PreviewFile,
  partOf,
  tableKey,
} from "../../services/dataset-mapping.ts";
import { isListUse, withJoinedFile } from "../../services/joined-files.ts";
import { mayHaveSide, SideChoice, withSide } from "../MappingForm/SideChoice.tsx";
import { ColumnTable } from "./ColumnTable.tsx";
import { FileCard, type ReaderChoice } from "./FileCard.tsx";
import { JoinedColumns } from "./JoinedColumns.tsx";

interface ColumnMappingProps extends ReaderChoice {
  readonly file: PreviewFile;
  readonly files: readonly PreviewFile[];
  readonly mapping: DatasetMapping;
  readonly onChange: (mapping: DatasetMapping) => void;
}

/** The first rows of one file under selectors that say what each column means. */
export function ColumnMapping({ file, files, mapping, onChange, ...reader }: ColumnMappingProps) {
  const key = tableKey(file);
  const use = mapping.uses[key] ?? "ignore";
  return (
    <FileCard
      file={file}
      uses={usesOf(file).map((value) => ({ value, label: useNames[value] }))}
      use={use}
      onUse={(value) =>
        onChange(
          value === "joined"
            ? withJoinedFile(mapping, file, files)
            : { ...mapping, uses: { ...mapping.uses, [key]: value } },
        )
      }
      {...reader}
    >
      {(use === "edges" || use === "nodes") && (
        <ColumnTable
          file={file}
          roles={use === "edges" ? edgeRoles : nodeRoles}
          chosen={mapping[use]}
          onChoose={(column, role) => onChange({ ...mapping, [use]: withRole<Role>(mapping[use], column, role) })}
          {...(use === "nodes" && {
            missing: mapping.missing,
            onMissing: (missing) => onChange({ ...mapping, missing }),
          })}
        />
      )}
      {use === "joined" && (
        <JoinedColumns
          file={file}
          tables={mapping}
          whose="the nodes"
          roles={nodeRoles}
          missing={mapping.missing}
          onChange={onChange}
          onMissing={(missing) => onChange({ ...mapping, missing })}
        />
      )}
      {(use === "nodes" || use === "joined") && mayHaveSide(mapping.uses) && (
        <SideChoice
          file={key}
          side={mapping.sides[key]}
          onChange={(side) => onChange({ ...mapping, sides: withSide(mapping.sides, key, side) })}
        />
      )}
      <UseHint use={use} />
    </FileCard>
  );
}

/** What a file without roles for its columns holds */
function UseHint({ use }: { readonly use: FileUse }) {
  const hint = isListUse(use) ? "Ids of nodes, one in a row, in place of a split column." : hints[use];
  return (
    hint && (
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    )
  );
}

const pairs =
  "Pairs that held-out links are judged against, in columns that are called as the source id and the destination id of the edges.";
const hints: Partial<Readonly<Record<FileUse, string>>> = {
  valNegatives: pairs,
  testNegatives: pairs,
  features: "A matrix with one row per row of the nodes file, in that file's order.",
};

/** A table of a file that holds a whole graph has but one use. */
function usesOf(file: PreviewFile): readonly FileUse[] {
  const part = partOf(file);
  if (part !== null) return [part, "ignore"];
  if (isMatrix(file)) return ["features", "ignore"];
  return ["edges", "nodes", "joined", "trainIds", "valIds", "testIds", "valNegatives", "testNegatives", "ignore"];
}

const useNames: Readonly<Record<FileUse, string>> = {
  edges: "Edges",
  nodes: "Nodes",
  joined: "More of the nodes",
  trainIds: "Ids: train",
  valIds: "Ids: val",
  testIds: "Ids: test",
  features: "Feature matrix",
  valNegatives: "Pairs without a link (validation)",
  testNegatives: "Pairs without a link (test)",
  ignore: "Leave out",
};
