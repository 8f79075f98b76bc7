import type { DatasetSpec } from "@hopwise/contracts";
import { useMemo, useState } from "react";
import type { PreviewFile } from "../../services/dataset-mapping.ts";
import { repeatedIdsOf, specOfTypes, typedMappingOf, withRepeatedIds } from "../../services/typed-mapping.ts";
import { BuildButton } from "./BuildButton.tsx";
import { MappedFiles } from "./MappedFiles.tsx";
import { RowRules } from "./RowRules.tsx";
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
  const result = useMemo(() => specOfTypes(files, mapping), [files, mapping]);
  return (
    <>
      <MappedFiles {...{ datasetId, files, onReadAgain }}>
        {(file, reader) => <TypedFile {...{ file, files, mapping, ...reader }} onChange={setMapping} />}
      </MappedFiles>
      <RowRules
        rules={mapping}
        made="a graph"
        known="the file of its type"
        repeated={repeatedIdsOf(mapping)}
        onRepeated={(chosen) => setMapping(withRepeatedIds(mapping, chosen))}
        onChange={(change) => setMapping({ ...mapping, ...change })}
      />
      <Sentences color="gray" title="Still to decide" lines={"missing" in result ? result.missing : []} />
      <BuildButton datasetId={datasetId} versionId={versionId} spec={"spec" in result ? result.spec : null} />
    </>
  );
}
