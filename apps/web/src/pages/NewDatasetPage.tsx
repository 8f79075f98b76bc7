import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { FetchNewDataset } from "../components/Imports/FetchNewDataset.tsx";
import { PublishedDatasets } from "../components/Imports/PublishedDatasets.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { UploadList } from "../components/UploadList/UploadList.tsx";
import { type ShownUpload, useDatasetUpload } from "../hooks/use-dataset-upload.ts";
import { nameOfFiles } from "../services/dataset-name.ts";
import { saveFile } from "../services/download.ts";
import { sampleFiles } from "../services/sample-graph.ts";

/** First half of making a dataset: name and files. The mapping page is the second. */
export function NewDatasetPage() {
  const shown = useDatasetUpload(null);
  const { upload, problem } = shown;
  const canStart = shown.name.trim() !== "" && shown.numToSend > 0 && !shown.isBusy;
  useSampleOnce(shown);
  useMappingNext(shown);
  return (
    <>
      <PageHeader
        title="New dataset"
        help="Two steps: upload the files, then say what their columns mean. Your node ids stay as they are, text or numbers."
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canStart) void upload.start();
        }}
      >
        <Stack gap="lg" maw={820}>
          <NamePanel {...shown} />
          <FilesPanel shown={shown} />
          {problem && <ProblemAlert problem={problem} />}
          <Buttons shown={shown} canStart={canStart} />
        </Stack>
      </form>
      {shown.datasetId === null && !shown.isBusy && (
        <Stack gap="lg" maw={820} mt="lg">
          <FetchNewDataset name={shown.name} />
          <PublishedDatasets name={shown.name} />
        </Stack>
      )}
    </>
  );
}

/** Fills the form with the sample graph when the address asks for it. */
function useSampleOnce({ upload, name }: ShownUpload) {
  const { sample } = useSearch({ from: "/shell/datasets/new" });
  const hasFilled = useRef(false);
  useEffect(() => {
    if (!sample || hasFilled.current) return;
    hasFilled.current = true;
    fillWithSample(upload, name);
  });
}

function fillWithSample(upload: ShownUpload["upload"], name: string) {
  if (name === "") upload.setName("sample");
  upload.add(sampleFiles());
}

/** Goes on to the columns as soon as all files have arrived. */
function useMappingNext({ previewJobId, datasetId }: ShownUpload) {
  const navigate = useNavigate();
  useEffect(() => {
    if (previewJobId !== null && datasetId !== null)
      void navigate({ to: "/datasets/$datasetId/mapping", params: { datasetId } });
  }, [previewJobId, datasetId, navigate]);
}

function NamePanel({ upload, name, isBusy, datasetId }: ShownUpload) {
  return (
    <Panel title="Name">
      <TextInput
        aria-label="Dataset name"
        placeholder="citations-2026"
        maxLength={120}
        value={name}
        onChange={(event) => upload.setName(event.currentTarget.value)}
        disabled={isBusy || datasetId !== null}
        maw={420}
      />
    </Panel>
  );
}

function FilesPanel({ shown: { upload, name, items, isBusy, startedAtMs } }: { readonly shown: ShownUpload }) {
  return (
    <Panel
      title="Files"
      help="Tables (CSV, TSV, Parquet, JSON lines, Excel), also packed with gzip or zip, or a graph file (GraphML, GEXF, GML, JSON, HDF5). At least an edge list; features may also be an .npz or .npy matrix."
    >
      <Dropzone
        onDrop={(files) => {
          if (name === "") upload.setName(nameOfFiles(files));
          upload.add(files);
        }}
        disabled={isBusy}
        multiple
        inputProps={{ "aria-label": "Choose files" }}
        aria-label="Drop files here"
        p="xl"
      >
        <Stack align="center" gap={4} style={{ pointerEvents: "none" }}>
          <Text fw={600}>Drop files or a folder here</Text>
          <Text size="sm" c="dimmed">
            or press Enter or click to choose them
          </Text>
        </Stack>
      </Dropzone>
      {items.length > 0 ? (
        <UploadList items={items} startedAtMs={startedAtMs} onRemove={upload.remove} isBusy={isBusy} />
      ) : (
        <SampleOffer onFill={() => fillWithSample(upload, name)} />
      )}
    </Panel>
  );
}

function SampleOffer({ onFill }: { readonly onFill: () => void }) {
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        No files at hand?
      </Text>
      <Button size="compact-sm" variant="default" onClick={onFill}>
        Use a sample graph
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => sampleFiles().forEach(saveFile)}>
        Download the sample
      </Button>
    </Group>
  );
}

function Buttons({ shown, canStart }: { readonly shown: ShownUpload; readonly canStart: boolean }) {
  const { upload, isBusy, datasetId } = shown;
  return (
    <Group>
      <Button type="submit" disabled={!canStart} loading={isBusy}>
        Upload and continue
      </Button>
      {!isBusy && shown.name.trim() === "" && shown.numToSend > 0 && (
        <Text size="sm" c="dimmed">
          Give the dataset a name first.
        </Text>
      )}
      {isBusy && (
        <Button variant="default" onClick={upload.stop}>
          Stop
        </Button>
      )}
      {!isBusy && datasetId !== null && (
        <Button variant="default" onClick={upload.clear}>
          Start over
        </Button>
      )}
    </Group>
  );
}
