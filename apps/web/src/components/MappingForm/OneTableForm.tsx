import { useMemo, useState } from "react";
import { mappingFromPreview } from "../../services/dataset-mapping.ts";
import { specFromMapping } from "../../services/spec-from-mapping.ts";
import { ColumnMapping } from "../ColumnMapping/ColumnMapping.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { BuildButton } from "./BuildButton.tsx";
import { MappedFiles } from "./MappedFiles.tsx";
import { Policies } from "./Policies.tsx";
import { Sentences } from "./Sentences.tsx";
import type { FormProps } from "./TypedForm.tsx";

/** One table of edges and perhaps one of nodes, in one file or several alike. */
export function OneTableForm({ datasetId, versionId, files, start, onReadAgain }: FormProps) {
  const [mapping, setMapping] = useState(() => mappingFromPreview(files, start));
  const result = useMemo(() => specFromMapping(files, mapping), [files, mapping]);
  return (
    <>
      <MappedFiles {...{ datasetId, files, onReadAgain }}>
        {(file, reader) => <ColumnMapping {...{ file, files, mapping, ...reader }} onChange={setMapping} />}
      </MappedFiles>
      <Panel
        title="Rules"
        help="How rows become a graph. Nothing is dropped in silence: the dataset's page counts every case."
      >
        <Policies mapping={mapping} onChange={setMapping} />
      </Panel>
      <Sentences color="gray" title="Still to decide" lines={"missing" in result ? result.missing : []} />
      <BuildButton datasetId={datasetId} versionId={versionId} spec={"spec" in result ? result.spec : null} />
    </>
  );
}
