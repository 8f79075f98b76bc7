import { useState } from "react";
import { type DatasetMapping, isMatrix, type PreviewFile } from "../../services/dataset-mapping.ts";
import type { ChosenReaders } from "../../services/datasets.ts";
import { AddFiles } from "../AddFiles/AddFiles.tsx";
import { ColumnMapping } from "../ColumnMapping/ColumnMapping.tsx";
import { RoleHelp } from "../ColumnMapping/RoleHelp.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ReadAgain } from "./ReadAgain.tsx";

interface MappedFilesProps {
  readonly datasetId: string;
  readonly files: readonly PreviewFile[];
  readonly mapping: DatasetMapping;
  readonly onChange: (mapping: DatasetMapping) => void;
  readonly onReadAgain: () => void;
}

/** Every file with what its columns mean, and the ways to further files and to other readers. */
export function MappedFiles({ datasetId, files, mapping, onChange, onReadAgain }: MappedFilesProps) {
  const [readers, setReaders] = useState<ChosenReaders>({});
  return (
    <Panel
      title="Files"
      help="What each file holds, and the role of its columns. A coloured top marks a column that is used."
    >
      <RoleHelp />
      {files
        .toSorted((a, b) => Number(isMatrix(a)) - Number(isMatrix(b)))
        .map((file) => (
          <ColumnMapping
            key={file.name}
            file={file}
            mapping={mapping}
            onChange={onChange}
            chosenReader={readers[file.name]}
            onChooseReader={(choice) => setReaders({ ...readers, [file.name]: choice })}
          />
        ))}
      <AddFiles datasetId={datasetId} present={files.map(({ name }) => name)} onDone={onReadAgain} />
      {Object.keys(readers).length > 0 && (
        <ReadAgain datasetId={datasetId} readers={withEarlier(files, readers)} onEnded={onReadAgain} />
      )}
    </Panel>
  );
}

/** Choices of before count on: a file that was read as chosen is read so again. */
function withEarlier(files: readonly PreviewFile[], readers: ChosenReaders): ChosenReaders {
  const earlier = files.filter(({ isReaderChosen }) => isReaderChosen);
  const kept = earlier.map(({ name, reader, options }) => [name, { type: reader ?? "csv", options }]);
  return { ...(Object.fromEntries(kept) as ChosenReaders), ...readers };
}
