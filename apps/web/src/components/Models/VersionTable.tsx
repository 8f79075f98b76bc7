import { Anchor, Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { modelsQuery } from "../../services/documents/models.ts";
import { formatAgo } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { metricsOf } from "../../services/metrics.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { ApplyModel } from "./ApplyModel.tsx";
import { StageSelect } from "./StageSelect.tsx";
import { trainedOnWords } from "./trained-on-words.ts";

type Model = ResultOf<typeof modelsQuery>["registeredModels"]["edges"][number]["node"];
type Version = Model["versions"][number];

interface VersionTableProps {
  readonly model: Model;
  readonly now: number;
  readonly onChanged: () => void;
}

/** The versions of a model, newest first, with what can be done with each. */
export function VersionTable({ model, now, onChanged }: VersionTableProps) {
  return (
    <DataTable
      label={`Versions of ${model.name}`}
      columns={columnsAt(now, onChanged)}
      rows={model.versions}
      rowKey={({ id }) => id}
      minWidth={840}
    />
  );
}

function columnsAt(now: number, onChanged: () => void): readonly Column<Version>[] {
  return [
    {
      head: "Version",
      isRowHead: true,
      cell: ({ id, ref }) => (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/models/$versionId" params={{ versionId: id }} />}
        >
          {ref}
        </Anchor>
      ),
    },
    { head: "Stage", cell: (version) => <StageSelect version={version} onChanged={onChanged} /> },
    { head: "Kind", cell: ({ modelType }) => modelType },
    { head: "On the test set", align: "right", cell: ({ metrics }) => testResult(metrics) },
    {
      head: "Trained on",
      cell: trainedOnWords,
    },
    { head: "Kept", align: "right", cell: ({ createdAt }) => formatAgo(createdAt, now) },
    {
      head: "Actions",
      isHeadHidden: true,
      align: "right",
      cell: (version) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {version.jobId !== null && !version.isUploaded && <TrainOn model={version.ref} jobId={version.jobId} />}
          <ApplyModel version={version} />
        </Group>
      ),
    },
  ];
}

/** The form of a training job with the settings of the model's own, which begins with its weights. */
function TrainOn({ model, jobId }: { readonly model: string; readonly jobId: string }) {
  return (
    <Button
      variant="default"
      aria-label={`Train on from ${model}`}
      renderRoot={(props) => <Link {...props} to="/jobs/new" search={{ from: jobId, model }} />}
    >
      Train on
    </Button>
  );
}

/** The first figure of the test set, by its name: versions of one model are judged alike. */
function testResult(metrics: unknown): string {
  const test = metricsOf(metrics, null).find(({ split }) => split === "test")?.metrics ?? [];
  const shown = test.find(({ name }) => name === "test/accuracy") ?? test[0];
  return shown ? `${shown.name.replace("test/", "")} ${shown.text}` : "";
}
