import { Button, Group, Paper, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { JobTable } from "../components/JobTable/JobTable.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { type JobFilter, useJobs } from "../hooks/use-jobs.ts";

const pageSize = 50;

type States = NonNullable<JobFilter["states"]>;
const stateChoices: Readonly<Record<string, States>> = {
  "Any state": [],
  "Waiting or running": ["QUEUED", "RUNNING", "CANCELLING"],
  Succeeded: ["SUCCEEDED"],
  Failed: ["FAILED"],
  Cancelled: ["CANCELLED"],
};

/** Training jobs, and on demand those that the service made itself. */
export function JobsPage() {
  const [kinds, setKinds] = useState<"train" | "all">("train");
  const [state, setState] = useState("Any state");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const states = stateChoices[state] ?? [];
  const isFiltered = states.length > 0 || search !== "";
  const jobs = useJobs(
    {
      ...(kinds === "train" && { kinds: ["train"] }),
      ...(states.length > 0 && { states }),
      ...(search !== "" && { search }),
    },
    pageSize,
  );
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
      <Group mb="md" gap="sm" role="search" aria-label="Jobs">
        <SegmentedControl
          size="xs"
          aria-label="Which jobs"
          value={kinds}
          onChange={(value) => setKinds(value === "train" ? "train" : "all")}
          data={[
            { value: "train", label: "Training" },
            { value: "all", label: "All, also reading and exporting" },
          ]}
        />
        <Select
          size="xs"
          w={180}
          aria-label="State"
          data={Object.keys(stateChoices)}
          value={state}
          onChange={(value) => setState(value ?? "Any state")}
          allowDeselect={false}
        />
        <TextInput
          size="xs"
          w={220}
          type="search"
          aria-label="Name or id"
          placeholder="Part of the name or id"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Group>
      <QueryView state={jobs} onRetry={jobs.refresh}>
        {({ nodes, hasMore }) => (
          <Paper withBorder bg="var(--hop-surface)">
            {nodes.length > 0 && <JobTable jobs={nodes} isMoving={jobs.isMoving} />}
            {nodes.length === 0 &&
              (isFiltered ? (
                <EmptyState title="No job fits the filter">
                  Take another state, or a shorter part of the name.
                </EmptyState>
              ) : (
                <NoJobs />
              ))}
            <LoadMore hasMore={hasMore} isLoading={jobs.isLoading} onMore={jobs.loadMore} />
          </Paper>
        )}
      </QueryView>
    </>
  );
}

function NoJobs() {
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
