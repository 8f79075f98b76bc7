import { Group } from "@mantine/core";
import { useMemo, useState } from "react";
import { type SetRole, setRoles, withRole } from "../../services/column-roles.ts";
import type { PreviewFile } from "../../services/dataset-mapping.ts";
import { type GraphSetMapping, graphSetMappingOf, type SetUse, specOfSet } from "../../services/graph-set-mapping.ts";
import { ColumnTable } from "../ColumnMapping/ColumnTable.tsx";
import { FileCard, type ReaderChoice } from "../ColumnMapping/FileCard.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { BuildButton } from "./BuildButton.tsx";
import { MappedFiles } from "./MappedFiles.tsx";
import { duplicates, missingNodes, Policy, selfLoops } from "./Policies.tsx";
import { Sentences } from "./Sentences.tsx";
import type { FormProps } from "./TypedForm.tsx";

/** Many graphs: tables of edges and of nodes, and one with a row for each graph. */
export function GraphSetForm({ datasetId, versionId, files, start, onReadAgain }: FormProps) {
  const [mapping, setMapping] = useState(() => graphSetMappingOf(files, start));
  const result = useMemo(() => specOfSet(mapping), [mapping]);
  const { add: _, ...rulesForMissing } = missingNodes;
  return (
    <>
      <MappedFiles {...{ datasetId, files, onReadAgain }}>
        {(file, reader) => <SetFile {...{ file, mapping, ...reader }} onChange={setMapping} />}
      </MappedFiles>
      <Panel title="Rules" help="How rows become graphs. Nothing is dropped in silence: the dataset's page counts it.">
        <Group gap="lg" align="flex-start">
          <Policy
            label="An edge that appears twice"
            options={duplicates}
            value={mapping.duplicates}
            onChoose={(value) => setMapping({ ...mapping, duplicates: value })}
          />
          <Policy
            label="An edge from a node to itself"
            options={selfLoops}
            value={mapping.selfLoops}
            onChoose={(value) => setMapping({ ...mapping, selfLoops: value })}
          />
          <Policy
            label="An edge with an unknown node"
            description="Its id is not in the nodes file"
            options={rulesForMissing}
            value={mapping.missingNodes}
            onChoose={(value) => setMapping({ ...mapping, missingNodes: value })}
          />
        </Group>
      </Panel>
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
