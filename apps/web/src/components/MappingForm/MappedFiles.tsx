import { Fragment, type ReactNode, useState } from "react";
import { isMatrix, type PreviewFile, tableKey } from "../../services/dataset-mapping.ts";
import type { ChosenReaders } from "../../services/datasets.ts";
import { AddFiles } from "../AddFiles/AddFiles.tsx";
import type { ReaderChoice } from "../ColumnMapping/FileCard.tsx";
import { RoleHelp } from "../ColumnMapping/RoleHelp.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ReadAgain } from "./ReadAgain.tsx";

interface MappedFilesProps {
  readonly datasetId: string;
  readonly files: readonly PreviewFile[];
  readonly onReadAgain: () => void;
  /** What is to be decided about a file */
  readonly children: (file: PreviewFile, reader: ReaderChoice) => ReactNode;
}

/** Every file with what its columns mean, and the ways to further files and to other readers. */
export function MappedFiles({ datasetId, files, onReadAgain, children }: MappedFilesProps) {
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
          <Fragment key={tableKey(file)}>
            {children(file, {
              chosenReader: readers[file.name],
              onChooseReader: (choice) => setReaders({ ...readers, [file.name]: choice }),
            })}
          </Fragment>
        ))}
      <AddFiles datasetId={datasetId} present={[...new Set(files.map(({ name }) => name))]} onDone={onReadAgain} />
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
