import { Button, Stack } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { AddFiles } from "../components/AddFiles/AddFiles.tsx";
import { JobProgress } from "../components/JobProgress/JobProgress.tsx";
import { MappingForm } from "../components/MappingForm/MappingForm.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { askForPreview } from "../services/datasets.ts";
import { previewQuery } from "../services/documents/datasets.ts";
import type { ResultOf } from "../services/graphql.ts";
import { problemOfUnknown, type ShownProblem } from "../services/problem.ts";
import { NothingHere } from "./NotFoundPage.tsx";

type Dataset = NonNullable<ResultOf<typeof previewQuery>["dataset"]>;

/** Second half of making a dataset: a look into the files, and what each column means. */
export function MappingPage() {
  const { datasetId } = useParams({ from: "/shell/datasets/$datasetId/mapping" });
  const [state, refetch] = useQuery({ query: previewQuery, variables: { id: datasetId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  return (
    <QueryView state={state} onRetry={refresh} shape="form">
      {({ dataset }) =>
        dataset === null ? <NothingHere what="dataset" /> : <Mapping dataset={dataset} onChanged={refresh} />
      }
    </QueryView>
  );
}

interface MappingProps {
  readonly dataset: Dataset;
  readonly onChanged: () => void;
}

function Mapping({ dataset: { id, name, latest, newestReady }, onChanged }: MappingProps) {
  const [askProblem, setAskProblem] = useState<ShownProblem | null>(null);
  const look = () => {
    setAskProblem(null);
    askForPreview(id)
      .then(onChanged)
      .catch((error: unknown) => setAskProblem(problemOfUnknown(error)));
  };
  // Files that were read anew begin a new form.
  const reading = latest.preview?.files.map(({ name: file, bytes, options }) => [file, bytes, options]);
  return (
    <>
      <PageHeader
        title={`Columns of ${name}`}
        help="Check what was recognised and change what is wrong. Edges need a source and a destination; all else is optional."
      />
      <Stack gap="lg" mb="lg">
        {askProblem && <ProblemAlert problem={askProblem} onRetry={look} />}
        {latest.problem && <ProblemAlert problem={latest.problem} />}
      </Stack>
      {latest.preview ? (
        <MappingForm
          key={`${latest.id} ${JSON.stringify(reading)}`}
          datasetId={id}
          versionId={latest.id}
          preview={latest.preview}
          earlier={newestReady}
          onReadAgain={onChanged}
        />
      ) : (
        <LookPanel datasetId={id} jobs={latest.jobs} onLook={look} onEnded={onChanged} />
      )}
    </>
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
