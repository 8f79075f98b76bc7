import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { type AddedFile, type Addition, readAddition } from "../../services/datasets.ts";
import { formatCount } from "../../services/format.ts";
import { problemOfUnknown, type ShownProblem } from "../../services/problem.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface AdditionPanelProps {
  readonly datasetId: string;
  readonly number: number;
}

/** To which version another adds rows, and which file brought how many; nothing where it stands alone. */
export function AdditionPanel({ datasetId, number }: AdditionPanelProps) {
  const [addition, setAddition] = useState<Addition | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    let isShown = true;
    readAddition(datasetId, number)
      .then((read) => isShown && setAddition(read))
      .catch((error: unknown) => isShown && setProblem(problemOfUnknown(error)));
    return () => {
      isShown = false;
    };
  }, [datasetId, number]);
  if (problem) return <ProblemAlert problem={problem} />;
  if (addition === null) return null;
  const { addsTo, isOpen, files } = addition;
  return (
    <Panel title={`Adds to version ${addsTo}`} help="It keeps that version's files and mapping.">
      {isOpen && (
        <Text size="sm">
          Upload files that hold only new rows of nodes or edges, each under a name of its own. What has their columns
          is read together with them.
        </Text>
      )}
      {files && (
        <DataTable
          label="Rows by file"
          columns={columnsFor(files)}
          rows={files}
          rowKey={({ name }) => name}
          minWidth={360}
        />
      )}
    </Panel>
  );
}

/** Replaced rows are shown where there are some. */
function columnsFor(files: readonly AddedFile[]): readonly Column<AddedFile>[] {
  return files.some(({ replacedRows }) => replacedRows) ? [...columns, replaced] : columns;
}

const replaced: Column<AddedFile> = {
  head: "Replaced by later rows",
  align: "right",
  cell: ({ replacedRows = 0 }) => formatCount(replacedRows),
};
const columns: readonly Column<AddedFile>[] = [
  { head: "File", cell: ({ name }) => name },
  { head: "Came with", cell: ({ version }) => `version ${version}` },
  { head: "Nodes", align: "right", cell: ({ nodeRows }) => formatCount(nodeRows) },
  { head: "Edges", align: "right", cell: ({ edgeRows }) => formatCount(edgeRows) },
];
