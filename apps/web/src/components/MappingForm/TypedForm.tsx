import type { DatasetSpec } from "@hopwise/contracts";
import { Group } from "@mantine/core";
import { useMemo, useState } from "react";
import type { PreviewFile } from "../../services/dataset-mapping.ts";
import { specOfTypes, typedMappingOf } from "../../services/typed-mapping.ts";
import { Panel } from "../Panel/Panel.tsx";
import { BuildButton } from "./BuildButton.tsx";
import { MappedFiles } from "./MappedFiles.tsx";
import { duplicates, missingNodes, Policy, selfLoops } from "./Policies.tsx";
import { Sentences } from "./Sentences.tsx";
import { TypedFile } from "./TypedFile.tsx";

export interface FormProps {
  readonly datasetId: string;
  readonly versionId: string;
  readonly files: readonly PreviewFile[];
  /** What the form begins with */
  readonly start: DatasetSpec | null;
  readonly onReadAgain: () => void;
}

/** Each type of node and each relation has files of its own. */
export function TypedForm({ datasetId, versionId, files, start, onReadAgain }: FormProps) {
  const [mapping, setMapping] = useState(() => typedMappingOf(files, start));
  const result = useMemo(() => specOfTypes(mapping), [mapping]);
  const { add: _, ...rulesForMissing } = missingNodes;
  return (
    <>
      <MappedFiles {...{ datasetId, files, onReadAgain }}>
        {(file, reader) => <TypedFile {...{ file, mapping, ...reader }} onChange={setMapping} />}
      </MappedFiles>
      <Panel title="Rules" help="How rows become a graph. Nothing is dropped in silence: the dataset's page counts it.">
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
            description="Its id is not in the file of its type"
            options={rulesForMissing}
            value={mapping.missingNodes === "drop" ? "drop" : "error"}
            onChoose={(value) => setMapping({ ...mapping, missingNodes: value })}
          />
        </Group>
      </Panel>
      <Sentences color="gray" title="Still to decide" lines={"missing" in result ? result.missing : []} />
      <BuildButton datasetId={datasetId} versionId={versionId} spec={"spec" in result ? result.spec : null} />
    </>
  );
}
