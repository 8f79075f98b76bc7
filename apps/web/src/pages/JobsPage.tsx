import { Button, Checkbox, Group, Paper, SegmentedControl, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { useQuery } from "urql";
import { ChosenJobs } from "../components/ChosenJobs/ChosenJobs.tsx";
import { ColumnChoice } from "../components/ColumnChoice/ColumnChoice.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { JobTable } from "../components/JobTable/JobTable.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { SavedViews } from "../components/SavedViews/SavedViews.tsx";
import { useChosenJobs } from "../hooks/use-chosen-jobs.ts";
import { type JobSearchState, useJobSearch } from "../hooks/use-job-search.ts";
import { useJobs } from "../hooks/use-jobs.ts";
import { jobDeletion } from "../services/deferred-deletion.ts";
import { viewerQuery } from "../services/documents/account.ts";
import { browserShelf, type JobColumnKey, storedJobColumns, storeJobColumns } from "../services/job-columns.ts";
import { filterOf, sortOf, stateChoices } from "../services/job-search.ts";

const pageSize = 50;

/** Training jobs, and on demand those that the service made itself. */
export function JobsPage() {
  const search = useJobSearch();
  const [{ data: viewer }] = useQuery({ query: viewerQuery });
  const mayEdit = viewer !== undefined && viewer.me.role !== "VIEWER";
  const filter = filterOf(search.shown);
  const jobs = useJobs(filter, pageSize, sortOf(search.shown.sort));
  const hidden = useSyncExternalStore(jobDeletion.subscribe, jobDeletion.hidden);
  const chosen = useChosenJobs(jobs.data?.nodes ?? []);
  const [columns, choose] = useJobColumns();
  return (
    <>
      <PageHeader
        title="Jobs"
        help="A job cuts the graph into parts, trains a model on them and writes embeddings and predictions for every node."
        actions={
          <Button component={Link} to="/jobs/new">
            New job
          </Button>
        }
      />
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <Filters {...search} />
        <Group gap="xs">
          <SavedViews
            current={{ search: search.shown, columns }}
            onOpen={(view) => {
              search.onOpen(view.search);
              choose(view.columns);
            }}
          />
          <ColumnChoice shown={columns} onChange={choose} />
        </Group>
      </Group>
      {chosen.jobs.length > 0 && <ChosenJobs chosen={chosen} mayChange={mayEdit} onChanged={jobs.refresh} />}
      <QueryView state={jobs} onRetry={jobs.refresh}>
        {({ nodes, hasMore }) => (
          <Paper withBorder bg="var(--hop-surface)">
            {nodes.length > 0 && (
              <JobTable
                jobs={nodes.filter(({ id }) => !hidden.has(id))}
                isMoving={jobs.isMoving}
                shown={columns}
                choice={{ chosen, onChoose: chosen.choose }}
                sorting={{ shown: search.shown.sort, onSort: (sort) => search.onChoose({ sort }) }}
                {...(mayEdit && { onStarred: jobs.refresh })}
              />
            )}
            {nodes.length === 0 && (
              <NoJobs isFiltered={["states", "search", "starred", "worker"].some((name) => name in filter)} />
            )}
            <LoadMore hasMore={hasMore} isLoading={jobs.isLoading} onMore={jobs.loadMore} />
          </Paper>
        )}
      </QueryView>
    </>
  );
}

/** The columns of the list, and what keeps others for the next time. */
function useJobColumns() {
  const [columns, setColumns] = useState(() => storedJobColumns(browserShelf()));
  const choose = (keys: readonly JobColumnKey[]) => {
    storeJobColumns(browserShelf(), keys);
    setColumns(keys);
  };
  return [columns, choose] as const;
}

function Filters({ shown, typed, onType, onChoose }: JobSearchState) {
  return (
    <Group gap="sm" role="search" aria-label="Jobs">
      <SegmentedControl
        size="xs"
        aria-label="Which jobs"
        value={shown.kinds ?? "train"}
        onChange={(kinds) => onChoose({ kinds })}
        data={[
          { value: "train", label: "Training and applying" },
          { value: "all", label: "All, also reading and exporting" },
        ]}
      />
      <Select
        size="xs"
        w={180}
        aria-label="State"
        data={stateChoices}
        value={shown.state ?? "any"}
        onChange={(state) => onChoose({ state })}
        allowDeselect={false}
      />
      <TextInput
        size="xs"
        w={220}
        type="search"
        aria-label="Name or id"
        placeholder="Part of the name or id"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Checkbox
        size="xs"
        label="Starred only"
        checked={shown.starred ?? false}
        onChange={(event) => onChoose({ starred: event.currentTarget.checked })}
      />
      {shown.worker !== undefined && (
        <Button size="xs" variant="light" title="Show jobs of any worker" onClick={() => onChoose({ worker: "" })}>
          On worker {shown.worker} ✕
        </Button>
      )}
    </Group>
  );
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No job fits the filter">
        Take another state, a shorter part of the name, or jobs without a star.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No jobs yet"
      action={
        <Button component={Link} to="/jobs/new" mt="sm">
          Train a model
        </Button>
      }
    >
      Choose a dataset and a preset; every option has a sensible default.
    </EmptyState>
  );
}
