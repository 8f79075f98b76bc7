import { Button, Checkbox, Group, Paper, SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useQuery } from "urql";
import { ColumnChoice } from "../components/ColumnChoice/ColumnChoice.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { JobTable } from "../components/JobTable/JobTable.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { type JobSearchState, useJobSearch } from "../hooks/use-job-search.ts";
import { useJobs } from "../hooks/use-jobs.ts";
import { mostCompared } from "../services/comparison.ts";
import { viewerQuery } from "../services/documents.ts";
import { formatCount } from "../services/format.ts";
import { browserShelf, type JobColumnKey, storedJobColumns, storeJobColumns } from "../services/job-columns.ts";
import { filterOf, sortOf, stateChoices } from "../services/job-search.ts";

const pageSize = 50;

/** Training jobs, and on demand those that the service made itself. */
export function JobsPage() {
  const search = useJobSearch();
  const [{ data: viewer }] = useQuery({ query: viewerQuery });
  const mayStar = viewer !== undefined && viewer.me.role !== "VIEWER";
  const filter = filterOf(search.shown);
  const jobs = useJobs(filter, pageSize, sortOf(search.shown.sort));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [columns, setColumns] = useState(() => storedJobColumns(browserShelf()));
  const choose = (keys: readonly JobColumnKey[]) => {
    storeJobColumns(browserShelf(), keys);
    setColumns(keys);
  };
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
        <ColumnChoice shown={columns} onChange={choose} />
      </Group>
      {chosen.size > 0 && <ChosenJobs chosen={chosen} onClear={() => setChosen(new Set())} />}
      <QueryView state={jobs} onRetry={jobs.refresh}>
        {({ nodes, hasMore }) => (
          <Paper withBorder bg="var(--hop-surface)">
            {nodes.length > 0 && (
              <JobTable
                jobs={nodes}
                isMoving={jobs.isMoving}
                shown={columns}
                choice={{ chosen, onChoose: (id, isChosen) => setChosen(toggled(chosen, id, isChosen)) }}
                sorting={{ shown: search.shown.sort, onSort: (sort) => search.onChoose({ sort }) }}
                {...(mayStar && { onStarred: jobs.refresh })}
              />
            )}
            {nodes.length === 0 && (
              <NoJobs isFiltered={"states" in filter || "search" in filter || "starred" in filter} />
            )}
            <LoadMore hasMore={hasMore} isLoading={jobs.isLoading} onMore={jobs.loadMore} />
          </Paper>
        )}
      </QueryView>
    </>
  );
}

/** Chosen jobs stay so while the list is filtered or sorted otherwise. */
function ChosenJobs({ chosen, onClear }: { readonly chosen: ReadonlySet<string>; readonly onClear: () => void }) {
  const isTooMany = chosen.size > mostCompared;
  return (
    <Group gap="sm" mb="md" role="group" aria-label="Chosen jobs">
      <Text size="sm">
        {chosen.size === 1 ? "1 job chosen" : `${formatCount(chosen.size)} jobs chosen`}
        {isTooMany && `; ${mostCompared} can be compared at most`}
      </Text>
      {chosen.size > 1 && !isTooMany && (
        <Button
          size="compact-sm"
          renderRoot={(props) => <Link {...props} to="/compare" search={{ jobs: [...chosen].join(",") }} />}
        >
          Compare
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={onClear}>
        Clear
      </Button>
    </Group>
  );
}

function toggled(chosen: ReadonlySet<string>, id: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (isChosen) next.add(id);
  else next.delete(id);
  return next;
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
