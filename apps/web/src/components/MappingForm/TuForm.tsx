import type { DatasetSpec } from "@hopwise/contracts";
import { Code, List, Text } from "@mantine/core";
import { AddFiles } from "../AddFiles/AddFiles.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { BuildButton } from "./BuildButton.tsx";
import type { FormProps } from "./TypedForm.tsx";

type Tu = NonNullable<DatasetSpec["tu"]>;

interface TuFormProps extends Omit<FormProps, "start"> {
  readonly tu: Tu;
}

/** Files whose names say all of it: nothing is left to decide. */
export function TuForm({ datasetId, versionId, files, tu, onReadAgain }: TuFormProps) {
  const said = sentencesOf(tu);
  return (
    <>
      <Panel title="Files" help="The names of the files say what they hold, so that there is nothing to decide.">
        <List size="sm">
          {said.map(([file, what]) => (
            <List.Item key={file}>
              <Code>{file}</Code> {what}
            </List.Item>
          ))}
        </List>
        {tu.targets.length > 0 && (
          <Text size="sm" c="dimmed">
            Numbers to predict: {tu.targets.join(", ")}. A spec sent to the API may call them otherwise.
          </Text>
        )}
        <AddFiles datasetId={datasetId} present={[...new Set(files.map(({ name }) => name))]} onDone={onReadAgain} />
      </Panel>
      <BuildButton datasetId={datasetId} versionId={versionId} spec={{ version: 1, tu }} />
    </>
  );
}

function sentencesOf(tu: Tu): readonly (readonly [file: string, what: string])[] {
  const all: readonly (readonly [string | null, string])[] = [
    [tu.edges, "edges, which go both ways"],
    [tu.graphIndicator, "the graph of each node"],
    [tu.graphLabels, "the class of each graph"],
    [tu.graphAttributes, "numbers of each graph"],
    [tu.nodeLabels, "kinds of nodes: each becomes a feature of 0 and 1"],
    [tu.nodeAttributes, "features of the nodes"],
    [tu.edgeLabels, "the type of each edge: models of relations tell them apart"],
    [tu.edgeAttributes, "features of the edges: kept with the graph, tasks on whole graphs do not read them"],
    [tu.foldFile?.files.join(", ") ?? null, "the fold of each graph"],
  ];
  return all.flatMap(([file, what]) => (file === null ? [] : [[file, what] as const]));
}
