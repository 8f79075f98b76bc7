import type { DatasetSpec } from "@hopwise/contracts";
import { Alert, Button, Group, List, Select, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useMutation, useQuery } from "urql";
import { AddFiles } from "../components/AddFiles/AddFiles.tsx";
import { ColumnMapping } from "../components/ColumnMapping/ColumnMapping.tsx";
import { RoleHelp } from "../components/ColumnMapping/RoleHelp.tsx";
import { CopyButton } from "../components/CopyButton/CopyButton.tsx";
import { JobProgress } from "../components/JobProgress/JobProgress.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import {
  type DatasetMapping,
  fittingSpec,
  isMatrix,
  mappingFromPreview,
  type PreviewFile,
  specFromMapping,
} from "../services/dataset-mapping.ts";
import { askForPreview, type ChosenReaders } from "../services/datasets.ts";
import { ingestDatasetMutation, previewQuery } from "../services/documents.ts";
import { problemFromGraphql, problemOfUnknown, type ShownProblem } from "../services/problem.ts";
import { NothingHere } from "./NotFoundPage.tsx";

/** Second half of making a dataset: a look into the files, and what each column means. */
export function MappingPage() {
  const { datasetId } = useParams({ from: "/shell/datasets/$datasetId/mapping" });
  const [state, refetch] = useQuery({ query: previewQuery, variables: { id: datasetId } });
  const [askProblem, setAskProblem] = useState<ShownProblem | null>(null);
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);

  const look = useCallback(() => {
    setAskProblem(null);
    askForPreview(datasetId)
      .then(refresh)
      .catch((error: unknown) => setAskProblem(problemOfUnknown(error)));
  }, [datasetId, refresh]);

  return (
    <QueryView state={state} onRetry={refresh}>
      {({ dataset }) =>
        dataset === null ? (
          <NothingHere what="dataset" />
        ) : (
          <>
            <PageHeader
              title={`Columns of ${dataset.name}`}
              help="Check what was recognised and change what is wrong. Edges need a source and a destination; all else is optional."
            />
            <Stack gap="lg" mb="lg">
              {askProblem && <ProblemAlert problem={askProblem} onRetry={look} />}
              {dataset.latest.problem && <ProblemAlert problem={dataset.latest.problem} />}
            </Stack>
            {dataset.latest.preview ? (
              <MappingForm
                key={`${dataset.latest.id} ${JSON.stringify(dataset.latest.preview.files.map(({ name, bytes, options }) => [name, bytes, options]))}`}
                datasetId={dataset.id}
                versionId={dataset.latest.id}
                preview={dataset.latest.preview}
                earlier={dataset.newestReady}
                onReadAgain={refresh}
              />
            ) : (
              <LookPanel datasetId={dataset.id} jobs={dataset.latest.jobs} onLook={look} onEnded={refresh} />
            )}
          </>
        )
      }
    </QueryView>
  );
}

interface LookPanelProps {
  readonly datasetId: string;
  readonly jobs: readonly { readonly id: string; readonly kind: string; readonly state: string }[];
  readonly onLook: () => void;
  readonly onEnded: () => void;
}

/** While a worker reads the first rows; without a job that does, the button that starts one. */
function LookPanel({ datasetId, jobs, onLook, onEnded }: LookPanelProps) {
  const job = jobs.find((one) => one.kind === "map");
  const isOver = job === undefined || job.state === "FAILED" || job.state === "CANCELLED";
  return (
    <Panel title="Looking into the files" help="The first rows of each file are read to recognise its columns.">
      {isOver ? (
        <Button onClick={onLook} w="fit-content">
          {job ? "Look again" : "Look into the files"}
        </Button>
      ) : (
        <JobProgress key={job.id} jobId={job.id} onEnded={onEnded} />
      )}
      {isOver && <AddFiles datasetId={datasetId} present={[]} onDone={onEnded} />}
    </Panel>
  );
}

interface MappingFormProps {
  readonly datasetId: string;
  readonly versionId: string;
  /** The version before, which has a graph; null when there is none */
  readonly earlier: { readonly number: number; readonly spec: unknown } | null;
  readonly preview: { files: readonly PreviewFile[]; proposed: unknown; warnings: readonly string[] };
  readonly onReadAgain: () => void;
}

/** Choices of before count on: a file that was read as chosen is read so again. */
function withEarlier(files: readonly PreviewFile[], readers: ChosenReaders): ChosenReaders {
  const earlier = files.filter(({ isReaderChosen }) => isReaderChosen);
  const kept = earlier.map(({ name, reader, options }) => [name, { type: reader ?? "csv", options }]);
  return { ...(Object.fromEntries(kept) as ChosenReaders), ...readers };
}

interface ReadAgainProps {
  readonly datasetId: string;
  readonly readers: ChosenReaders;
  readonly onEnded: () => void;
}

/** Has the files read with the readers that were chosen; the roles of columns are then proposed anew. */
function ReadAgain({ datasetId, readers, onEnded }: ReadAgainProps) {
  const [jobId, setJobId] = useState<string | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const read = () => {
    setProblem(null);
    askForPreview(datasetId, readers)
      .then(setJobId)
      .catch((error: unknown) => setProblem(problemOfUnknown(error)));
  };
  if (jobId !== null) return <JobProgress jobId={jobId} onEnded={onEnded} />;
  return (
    <Stack gap="xs">
      {problem && <ProblemAlert problem={problem} />}
      <Button variant="default" w="fit-content" onClick={read}>
        Read the files again
      </Button>
    </Stack>
  );
}

function MappingForm({ datasetId, versionId, earlier, preview, onReadAgain }: MappingFormProps) {
  const navigate = useNavigate();
  const { files, warnings } = preview;
  // The API checked proposal and spec with the schema of this type.
  const proposed = preview.proposed as DatasetSpec | null;
  const before = fittingSpec(files, (earlier?.spec ?? null) as DatasetSpec | null, proposed);
  const [mapping, setMapping] = useState(() => mappingFromPreview(files, before ?? proposed));
  const result = useMemo(() => specFromMapping(files, mapping), [files, mapping]);
  const [readers, setReaders] = useState<ChosenReaders>({});
  const [{ fetching, error }, ingest] = useMutation(ingestDatasetMutation);
  const missing = "missing" in result ? result.missing : [];

  const confirm = async () => {
    if (!("spec" in result)) return;
    const answer = await ingest({ version: versionId, spec: result.spec });
    if (answer.data) await navigate({ to: "/datasets/$datasetId", params: { datasetId } });
  };

  return (
    <Stack gap="lg">
      {before && (
        <Text size="sm" c="dimmed">
          It begins with the mapping of version {earlier?.number}, as the files are called alike.
        </Text>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="Worth a look">
          <List size="sm">
            {warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
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
              onChange={setMapping}
              chosenReader={readers[file.name]}
              onChooseReader={(choice) => setReaders({ ...readers, [file.name]: choice })}
            />
          ))}
        <AddFiles datasetId={datasetId} present={files.map(({ name }) => name)} onDone={onReadAgain} />
        {Object.keys(readers).length > 0 && (
          <ReadAgain datasetId={datasetId} readers={withEarlier(files, readers)} onEnded={onReadAgain} />
        )}
      </Panel>
      <Panel
        title="Rules"
        help="How rows become a graph. Nothing is dropped in silence: the dataset's page counts every case."
      >
        <Policies mapping={mapping} onChange={setMapping} />
      </Panel>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      {missing.length > 0 && (
        <Alert color="gray" variant="light" title="Still to decide">
          <List size="sm">
            {missing.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group>
        <Button onClick={() => void confirm()} loading={fetching} disabled={missing.length > 0}>
          Build the graph
        </Button>
        {"spec" in result && <CopyButton label="Copy as JSON" value={JSON.stringify(result.spec, null, 2)} />}
      </Group>
    </Stack>
  );
}

interface PoliciesProps {
  readonly mapping: DatasetMapping;
  readonly onChange: (mapping: DatasetMapping) => void;
}

function Policies({ mapping, onChange }: PoliciesProps) {
  const set = (change: Partial<DatasetMapping>) => onChange({ ...mapping, ...change });
  return (
    <Group gap="lg" align="flex-start">
      <Select
        label="Direction"
        w={250}
        allowDeselect={false}
        data={[
          { value: "false", label: "Both ways (undirected)" },
          { value: "true", label: "From source to destination" },
        ]}
        value={String(mapping.directed)}
        onChange={(value) => set({ directed: value === "true" })}
      />
      <Select
        label="An edge that appears twice"
        w={250}
        allowDeselect={false}
        data={[
          { value: "drop", label: "Keep the first" },
          { value: "keep", label: "Keep both" },
          { value: "error", label: "Stop with an error" },
        ]}
        value={mapping.duplicates}
        onChange={(value) => value && set({ duplicates: value })}
      />
      <Select
        label="An edge from a node to itself"
        w={250}
        allowDeselect={false}
        data={[
          { value: "drop", label: "Leave it out" },
          { value: "keep", label: "Keep it" },
        ]}
        value={mapping.selfLoops}
        onChange={(value) => value && set({ selfLoops: value })}
      />
      {Object.values(mapping.nodes).includes("label") && (
        <TextInput
          label="Several labels in a cell"
          description="The character between them; empty: one class each"
          inputWrapperOrder={["label", "input", "description"]}
          w={250}
          maxLength={8}
          value={mapping.labelSeparator ?? ""}
          onChange={(event) => set({ labelSeparator: event.currentTarget.value || null })}
        />
      )}
      <Select
        label="An edge with an unknown node"
        description="Its id is not in the nodes file"
        inputWrapperOrder={["label", "input", "description"]}
        w={250}
        allowDeselect={false}
        data={[
          { value: "error", label: "Stop with an error" },
          { value: "add", label: "Add the node" },
          { value: "drop", label: "Leave the edge out" },
        ]}
        value={mapping.missingNodes}
        onChange={(value) => value && set({ missingNodes: value })}
      />
    </Group>
  );
}
