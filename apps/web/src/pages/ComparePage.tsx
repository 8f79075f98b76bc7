import { Alert, Button, Checkbox, Group, Select, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useQuery } from "urql";
import { CompareCurves } from "../components/CompareCurves/CompareCurves.tsx";
import { CompareTable } from "../components/CompareTable/CompareTable.tsx";
import { LoadingRows } from "../components/LoadingRows/LoadingRows.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ParallelCoordinates } from "../components/ParallelCoordinates/ParallelCoordinates.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { useComparedJobs } from "../hooks/use-compared-jobs.ts";
import {
  type ComparedJob,
  curveNames,
  groupCurves,
  groupsOf,
  metricRows,
  mostCompared,
  namedJobs,
  parameterRows,
  type RunGroup,
} from "../services/comparison.ts";
import { comparableJobsQuery } from "../services/documents.ts";
import { figureName, formatMetric } from "../services/metrics.ts";
import { chiefOf, parallelAxes } from "../services/parallel-axes.ts";

/** How runs are compared, as it stands in the page's address. */
interface CompareSearch {
  readonly jobs?: string;
  readonly all?: boolean;
  readonly seeds?: boolean;
  readonly transposed?: boolean;
  readonly metric?: string;
  readonly at?: string;
}

/** Several runs on one page: what they came to, how they were set, and how they learned. */
export function ComparePage() {
  const search: CompareSearch = useSearch({ from: "/shell/compare" });
  const navigate = useNavigate({ from: "/compare" });
  const ids = namedJobs(search.jobs);
  const { jobs, missing, problem, isLoading } = useComparedJobs(ids.join(","));
  const change = (next: CompareSearch) => void navigate({ search: { ...search, ...next }, replace: true });
  return (
    <>
      <PageHeader
        title="Compare"
        help="Runs side by side. The address of this page holds the choice: send it to somebody who is to see the same."
      />
      <Stack gap="lg">
        {problem && <ProblemAlert problem={problem} />}
        {missing.length > 0 && (
          <Alert color="yellow" variant="light" title="Some runs are not there">
            {missing.join(", ")}
          </Alert>
        )}
        <Choice search={search} ids={ids} onChange={change} />
        {isLoading && ids.length > 0 && <LoadingRows rows={6} />}
        {!isLoading && jobs.length > 0 && <Comparison jobs={jobs} search={search} onChange={change} />}
      </Stack>
    </>
  );
}

interface ChoiceProps {
  readonly search: CompareSearch;
  readonly ids: readonly string[];
  readonly onChange: (next: CompareSearch) => void;
}

/** Which runs, and how they are shown. */
function Choice({ search, ids, onChange }: ChoiceProps) {
  const [{ data }] = useQuery({ query: comparableJobsQuery });
  const listed = data?.jobs.edges.map(({ node }) => node).filter(({ id }) => !ids.includes(id)) ?? [];
  const add = (id: string | null) => {
    if (id !== null) onChange({ jobs: [...ids, id].join(",") });
  };
  return (
    <Group gap="md" align="flex-end">
      <Select
        label="Add a run"
        placeholder={ids.length < mostCompared ? "Name or id" : `${mostCompared} runs are the most`}
        size="xs"
        w={320}
        searchable
        value={null}
        disabled={ids.length >= mostCompared}
        data={listed.map(({ id, name }) => ({ value: id, label: name ? `${name} · ${id}` : id }))}
        onChange={add}
      />
      <Checkbox
        label="Only what differs"
        size="xs"
        pb={6}
        checked={search.all !== true}
        onChange={(event) => onChange({ all: !event.currentTarget.checked })}
      />
      <Checkbox
        label="Group runs that differ in seeds"
        size="xs"
        pb={6}
        checked={search.seeds === true}
        onChange={(event) => onChange({ seeds: event.currentTarget.checked })}
      />
      <Checkbox
        label="Runs as rows"
        size="xs"
        pb={6}
        checked={search.transposed === true}
        onChange={(event) => onChange({ transposed: event.currentTarget.checked })}
      />
      {ids.length > 0 && (
        <Button size="xs" variant="default" onClick={() => onChange({ jobs: "" })}>
          Clear
        </Button>
      )}
      {ids.length === 0 && (
        <Text size="sm" c="dimmed">
          Choose two runs or more.
        </Text>
      )}
    </Group>
  );
}

interface ComparisonProps {
  readonly jobs: readonly ComparedJob[];
  readonly search: CompareSearch;
  readonly onChange: (next: CompareSearch) => void;
}

function Comparison({ jobs, search, onChange }: ComparisonProps) {
  const bySeed = search.seeds === true;
  const groups = useMemo(() => groupsOf(jobs, bySeed), [jobs, bySeed]);
  const parameters = parameterRows(groups).filter(({ differs }) => differs || search.all === true);
  return (
    <>
      <Panel title="Results and settings">
        <CompareTable
          groups={groups}
          metrics={metricRows(groups)}
          parameters={parameters}
          isTransposed={search.transposed === true}
          at={search.at}
        />
        {parameters.length === 0 && (
          <Text size="sm" c="dimmed">
            The settings of these runs are the same.
          </Text>
        )}
      </Panel>
      <Curves jobs={jobs} groups={groups} metric={search.metric} onMetric={(metric) => onChange({ metric })} />
      <Varying jobs={jobs} groups={groups} />
    </>
  );
}

interface CurvesProps {
  readonly jobs: readonly ComparedJob[];
  readonly groups: readonly RunGroup[];
  readonly metric: string | undefined;
  readonly onMetric: (metric: string) => void;
}

function Curves({ jobs, groups, metric, onMetric }: CurvesProps) {
  const names = curveNames(jobs);
  const chief = `val/${chiefOf(jobs).split("/")[1]}`;
  const shown = [metric, chief].find((name) => name !== undefined && names.includes(name)) ?? names[0];
  const curves = groupCurves(groups, shown ?? "");
  if (shown === undefined) return null;
  const task = jobs.find((job) => job.task !== null)?.task ?? null;
  return (
    <Panel
      title="Curves"
      help="A group is drawn as the mean of its runs, with their standard deviation as a band."
      aside={
        <Select
          aria-label="Metric"
          size="xs"
          w={200}
          data={names.map((name) => ({ value: name, label: figureName(name, task) }))}
          value={shown}
          onChange={(name) => name !== null && onMetric(name)}
          allowDeselect={false}
        />
      }
    >
      <CompareCurves
        title={figureName(shown, task)}
        curves={curves}
        format={(value) => formatMetric(value, shown.split("/").at(-1) ?? shown, task)}
      />
    </Panel>
  );
}

function Varying({ jobs, groups }: { readonly jobs: readonly ComparedJob[]; readonly groups: readonly RunGroup[] }) {
  const axes = parallelAxes(groups, chiefOf(jobs));
  if (jobs.length < 2 || axes.length < 2) return null;
  return (
    <Panel title="What varies" help="A line is a run: from setting to setting, and at last to its result.">
      <ParallelCoordinates axes={axes} groups={groups} />
    </Panel>
  );
}
