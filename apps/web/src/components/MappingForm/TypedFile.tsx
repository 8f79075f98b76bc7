import { Checkbox, Group, TextInput } from "@mantine/core";
import { withRole } from "../../services/column-roles.ts";
import { isMatrix, type PreviewFile } from "../../services/dataset-mapping.ts";
import { typedNodeRoles } from "../../services/files-of-types.ts";
import { saysMore, tablesOfType, withMoreOf } from "../../services/typed-joins.ts";
import {
  type RelationMapping,
  type RelationRole,
  relationRoles,
  type TypedMapping,
  type TypedUse,
  type TypeMapping,
  typesOf,
} from "../../services/typed-mapping.ts";
import { typeOfIds } from "../../services/types-of-edges.ts";
import { ColumnTable } from "../ColumnMapping/ColumnTable.tsx";
import { FileCard, type ReaderChoice } from "../ColumnMapping/FileCard.tsx";
import { MoreFields } from "./MoreFields.tsx";
import { mayHaveSide, SideChoice, withSide } from "./SideChoice.tsx";
import { TypeSelect } from "./TypeSelect.tsx";

interface TypedFileProps extends ReaderChoice {
  readonly file: PreviewFile;
  readonly files: readonly PreviewFile[];
  readonly mapping: TypedMapping;
  readonly onChange: (mapping: TypedMapping) => void;
}

/** One file of a graph with types: whose nodes, edges or features it holds. */
export function TypedFile({ file, files, mapping, onChange, ...reader }: TypedFileProps) {
  const use = mapping.uses[file.name] ?? "ignore";
  const type = (use === "type" ? mapping.types[file.name]?.name.trim() : mapping.owners[file.name]) ?? "";
  const choose = (value: TypedUse) =>
    onChange(
      saysMore(value)
        ? withMoreOf(mapping, file, files, value)
        : { ...mapping, uses: { ...mapping.uses, [file.name]: value } },
    );
  return (
    <FileCard
      file={file}
      uses={(isMatrix(file) ? usesOfMatrix : usesOfTable).map((value) => ({ value, label: useNames[value] }))}
      use={use}
      onUse={choose}
      {...reader}
    >
      {use === "type" && <TypeFields {...{ file, mapping, onChange }} />}
      {use === "relation" && <RelationFields {...{ file, mapping, onChange }} />}
      {saysMore(use) && <MoreFields {...{ file, files, mapping, onChange }} />}
      {(use === "type" || use === "joined") && mayHaveSide(tablesOfType(type, mapping).uses) && (
        <SideChoice
          file={file.name}
          side={mapping.sides[file.name]}
          onChange={(side) => onChange({ ...mapping, sides: withSide(mapping.sides, file.name, side) })}
        />
      )}
      {use === "features" && (
        <TypeSelect
          label="Features of the type"
          name={`Type of ${file.name}`}
          types={typesOf(mapping)}
          value={mapping.owners[file.name] ?? ""}
          onChoose={(type) => onChange({ ...mapping, owners: { ...mapping.owners, [file.name]: type } })}
        />
      )}
    </FileCard>
  );
}

const usesOfMatrix: readonly TypedUse[] = ["features", "ignore"];
const usesOfTable: readonly TypedUse[] = ["type", "relation", "joined", "trainIds", "valIds", "testIds", "ignore"];

const useNames: Readonly<Record<TypedUse, string>> = {
  type: "Nodes",
  relation: "Edges",
  joined: "More of a type",
  trainIds: "Ids: train",
  valIds: "Ids: val",
  testIds: "Ids: test",
  features: "Feature matrix",
  ignore: "Leave out",
};

type FieldsProps = Omit<TypedFileProps, keyof ReaderChoice | "files">;

function TypeFields({ file, mapping, onChange }: FieldsProps) {
  const type = mapping.types[file.name]!;
  const set = (change: Partial<TypeMapping>) =>
    onChange({ ...mapping, types: { ...mapping.types, [file.name]: { ...type, ...change } } });
  return (
    <>
      <TextInput
        label="Type"
        aria-label={`Type of ${file.name}`}
        size="xs"
        w={220}
        maxLength={100}
        value={type.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <ColumnTable
        file={file}
        roles={typedNodeRoles}
        chosen={type.roles}
        onChoose={(column, role) =>
          set({ roles: withRole(type.roles, column, role as (typeof typedNodeRoles)[number]) })
        }
        missing={type.missing}
        onMissing={(missing) => set({ missing })}
      />
    </>
  );
}

function RelationFields({ file, mapping, onChange }: FieldsProps) {
  const relation = mapping.relations[file.name]!;
  const set = (change: Partial<RelationMapping>) =>
    onChange({ ...mapping, relations: { ...mapping.relations, [file.name]: { ...relation, ...change } } });
  return (
    <>
      <RelationNames
        file={file}
        relation={relation}
        types={typesOf(mapping)}
        onSet={set}
        onOwnType={(end, type) =>
          onChange({
            ...mapping,
            withoutFile: [...mapping.withoutFile, type],
            relations: { ...mapping.relations, [file.name]: { ...relation, [end]: type } },
          })
        }
      />
      <ColumnTable
        file={file}
        roles={relationRoles}
        chosen={relation.roles}
        onChoose={(column, role) => set({ roles: withRole(relation.roles, column, role as RelationRole) })}
      />
    </>
  );
}

interface RelationNamesProps {
  readonly file: PreviewFile;
  readonly relation: RelationMapping;
  readonly types: readonly string[];
  readonly onSet: (change: Partial<RelationMapping>) => void;
  /** One end is of a type that has no file: its nodes are the ids of these edges. */
  readonly onOwnType: (end: "source" | "target", type: string) => void;
}

/** From which type to which, what the edges are called, and what those that lead back. */
function RelationNames({ file: { name: file }, relation, types, onSet, onOwnType }: RelationNamesProps) {
  const { source, name, target, reverse } = relation;
  return (
    <Group gap="sm" align="flex-end">
      <TypeSelect
        label="From"
        name={`Source type of ${file}`}
        types={types}
        value={source}
        own={typeOfIds(relation, "src")}
        onOwn={(type) => onOwnType("source", type)}
        onChoose={(type) => onSet({ source: type })}
      />
      <TextInput
        label="Relation"
        aria-label={`Relation of ${file}`}
        size="xs"
        w={160}
        maxLength={100}
        value={name}
        onChange={(event) => onSet({ name: event.currentTarget.value })}
      />
      <TypeSelect
        label="To"
        name={`Target type of ${file}`}
        types={types}
        value={target}
        own={typeOfIds(relation, "dst")}
        onOwn={(type) => onOwnType("target", type)}
        onChoose={(type) => onSet({ target: type })}
      />
      <Checkbox
        label="Messages go back too"
        size="xs"
        pb={6}
        checked={reverse !== null}
        onChange={(event) => onSet({ reverse: event.currentTarget.checked ? "" : null })}
      />
      {reverse !== null && (
        <TextInput
          label="Called on the way back"
          size="xs"
          w={180}
          maxLength={100}
          placeholder={`rev_${name}`}
          value={reverse}
          onChange={(event) => onSet({ reverse: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}
