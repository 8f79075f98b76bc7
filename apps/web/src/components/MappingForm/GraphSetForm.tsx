import { useMemo, useState } from "react";
import { type SetRole, setRoles, withRole } from "../../services/column-roles.ts";
import type { PreviewFile } from "../../services/dataset-mapping.ts";
import { type GraphSetMapping, graphSetMappingOf, type SetUse, specOfSet } from "../../services/graph-set-mapping.ts";
import { ColumnTable } from "../ColumnMapping/ColumnTable.tsx";
import { FileCard, type ReaderChoice } from "../ColumnMapping/FileCard.tsx";
import { BuildButton } from "./BuildButton.tsx";
import { MappedFiles } from "./MappedFiles.tsx";
import { RowRules } from "./RowRules.tsx";
import { Sentences } from "./Sentences.tsx";
import type { FormProps } from "./TypedForm.tsx";

/** Many graphs: tables of edges and of nodes, and one with a row for each graph. */
export function GraphSetForm({ datasetId, versionId, files, start, onReadAgain }: FormProps) {
  const [mapping, setMapping] = useState(() => graphSetMappingOf(files, start));
  const result = useMemo(() => specOfSet(mapping), [mapping]);
  const features = "spec" in result ? result.spec.nodes?.features : null;
  const hasMatrix = features != null && "file" in features;
  return (
    <>
      <MappedFiles {...{ datasetId, files, onReadAgain }}>
        {(file, reader) => <SetFile {...{ file, mapping, ...reader }} onChange={setMapping} />}
      </MappedFiles>
      <RowRules
        rules={mapping}
        made="graphs"
        known="the nodes file"
        repeated={hasMatrix ? null : mapping.repeatedIds}
        onRepeated={(chosen) => setMapping({ ...mapping, repeatedIds: chosen })}
        onChange={(change) => setMapping({ ...mapping, ...change })}
      />
      <Sentences color="gray" title="Still to decide" lines={"missing" in result ? result.missing : []} />
      <BuildButton datasetId={datasetId} versionId={versionId} spec={"spec" in result ? result.spec : null} />
    </>
  );
}

interface SetFileProps extends ReaderChoice {
  readonly file: PreviewFile;
  readonly mapping: GraphSetMapping;
  readonly onChange: (mapping: GraphSetMapping) => void;
}

const uses: readonly { readonly value: SetUse; readonly label: string }[] = [
  { value: "edges", label: "Edges" },
  { value: "nodes", label: "Nodes" },
  { value: "graphs", label: "Graphs" },
  { value: "ignore", label: "Leave out" },
];

function SetFile({ file, mapping, onChange, ...reader }: SetFileProps) {
  const { name } = file;
  const use = mapping.uses[name] ?? "ignore";
  const roles = mapping.roles[name] ?? {};
  const choose = (column: string, role: SetRole) =>
    onChange({ ...mapping, roles: { ...mapping.roles, [name]: withRole(roles, column, role) } });
  return (
    <FileCard
      file={file}
      uses={uses}
      use={use}
      onUse={(value) => onChange({ ...mapping, uses: { ...mapping.uses, [name]: value } })}
      {...reader}
    >
      {use !== "ignore" && (
        <ColumnTable
          file={file}
          roles={setRoles[use]}
          chosen={roles}
          onChoose={(column, role) => choose(column, role as SetRole)}
        />
      )}
    </FileCard>
  );
}
