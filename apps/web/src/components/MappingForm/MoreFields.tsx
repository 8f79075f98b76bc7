import { Text } from "@mantine/core";
import type { PreviewFile } from "../../services/dataset-mapping.ts";
import { filesOfType, typedNodeRoles, typesWithFile } from "../../services/files-of-types.ts";
import { tablesOfType, withOwner, withTablesOfType } from "../../services/typed-joins.ts";
import type { TypedMapping } from "../../services/typed-mapping.ts";
import { JoinedColumns } from "../ColumnMapping/JoinedColumns.tsx";
import { TypeSelect } from "./TypeSelect.tsx";

interface MoreFieldsProps {
  readonly file: PreviewFile;
  readonly files: readonly PreviewFile[];
  readonly mapping: TypedMapping;
  readonly onChange: (mapping: TypedMapping) => void;
}

/** The type that a file says more of, and the columns that its nodes get */
export function MoreFields({ file, files, mapping, onChange }: MoreFieldsProps) {
  const types = typesWithFile(mapping);
  const owner = mapping.owners[file.name] ?? "";
  const isOwned = types.includes(owner);
  const [first = ""] = filesOfType(owner, mapping);
  return (
    <>
      <TypeSelect
        label="Type that it is about"
        name={`Type of ${file.name}`}
        types={types}
        value={owner}
        onChoose={(type) => onChange(withOwner(mapping, file, files, type))}
      />
      {isOwned && mapping.uses[file.name] !== "joined" && (
        <Text size="sm" c="dimmed">
          Ids of {owner}, one in a row, in place of a split column.
        </Text>
      )}
      {isOwned && mapping.uses[file.name] === "joined" && (
        <JoinedColumns
          file={file}
          tables={tablesOfType(owner, mapping)}
          whose={owner}
          roles={typedNodeRoles}
          missing={mapping.types[first]!.missing}
          onChange={(tables) => onChange(withTablesOfType(owner, tables, mapping))}
          onMissing={(missing) =>
            onChange({ ...mapping, types: { ...mapping.types, [first]: { ...mapping.types[first]!, missing } } })
          }
        />
      )}
    </>
  );
}
