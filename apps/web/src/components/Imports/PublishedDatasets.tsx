import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { useImportIntoNew } from "../../hooks/use-import-into-new.ts";
import { publishedDatasetsQuery } from "../../services/documents/imports.ts";
import { formatBytes, formatCount } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";

type Entry = ResultOf<typeof publishedDatasetsQuery>["publishedDatasets"][number];

/** Data sets that others have published: a press on one fetches its files and has its graph built. */
export function PublishedDatasets({ name }: { readonly name: string }) {
  const [state, refetch] = useQuery({ query: publishedDatasetsQuery });
  const { busyWith, problem, start } = useImportIntoNew();
  const importEntry = (entry: Entry) => start(name.trim() || entry.name, { published: entry.name });
  const columns = [...facts, importColumn(busyWith !== null, (entry) => void importEntry(entry))];
  return (
    <Panel
      title="Or a published data set"
      help="The service fetches it from its publisher and builds its graph, with the split that comes with it."
    >
      {problem && <ProblemAlert problem={problem} />}
      <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })}>
        {({ publishedDatasets }) => (
          <DataTable
            label="Published data sets"
            columns={columns}
            rows={publishedDatasets}
            rowKey={(entry) => entry.name}
            minWidth={720}
          />
        )}
      </QueryView>
    </Panel>
  );
}

const facts: readonly Column<Entry>[] = [
  {
    head: "Data set",
    cell: ({ title, summary }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {summary}
        </Text>
      </Stack>
    ),
  },
  {
    head: "Nodes",
    align: "right",
    cell: ({ numNodes }) => formatCount(numNodes),
    hint: "As its publisher counts them",
  },
  {
    head: "Edges",
    align: "right",
    cell: ({ numEdges }) => formatCount(numEdges),
    hint: "As its publisher counts them",
  },
  {
    head: "Size",
    align: "right",
    cell: ({ approximateBytes }) => formatBytes(approximateBytes),
    cellProps: () => ({ style: { whiteSpace: "nowrap" } }),
    hint: "About how much is fetched, where the publisher says it",
  },
  {
    head: "Licence",
    cell: ({ licence }) => <Text size="xs">{licence ?? "not stated at its address"}</Text>,
  },
];

function importColumn(isBusy: boolean, onImport: (entry: Entry) => void): Column<Entry> {
  return {
    head: "Import",
    isHeadHidden: true,
    cell: (entry) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Import ${entry.title}`}
        disabled={isBusy}
        onClick={() => onImport(entry)}
      >
        Import
      </Button>
    ),
  };
}
