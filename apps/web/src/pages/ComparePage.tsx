import { Alert, Button, Checkbox, Group, Select, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useQuery } from "urql";
import { CompareCurves } from "../components/CompareCurves/CompareCurves.tsx";
import { CompareTable } from "../components/CompareTable/CompareTable.tsx";
import { LoadingShape } from "../components/LoadingShape/LoadingShape.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ParallelCoordinates } from "../components/ParallelCoordinates/ParallelCoordinates.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { useComparedJobs } from "../hooks/use-compared-jobs.ts";
import { bySmoothedEnd, settingsOf } from "../services/compared-order.ts";
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
import { comparableJobsQuery } from "../services/documents/compared-jobs.ts";
import { figureName, formatMetric } from "../services/metrics.ts";
import { chiefOf, parallelAxes } from "../services/parallel-axes.ts";

/** How runs are compared, as it stands in the page's address. */
interface CompareSearch {
  readonly jobs?: string;
  readonly all?: boolean;
  readonly seeds?: boolean;
  readonly transposed?: boolean;
  readonly metric?: string;
  /** Runs by where the smoothed curve of the metric ends, the best first */
  readonly sorted?: boolean;
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
        {isLoading && ids.length > 0 && <LoadingShape shape="table" />}
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
        label="Best smoothed curve first"
        size="xs"
        pb={6}
        checked={search.sorted === true}
        onChange={(event) => onChange({ sorted: event.currentTarget.checked })}
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
  const metric = shownMetric(jobs, search.metric);
  const isSorted = search.sorted === true && metric !== null;
  const groups = useMemo(() => {
    const chosen = groupsOf(jobs, bySeed);
    return isSorted ? bySmoothedEnd(chosen, metric) : chosen;
  }, [jobs, bySeed, isSorted, metric]);
  const rows = parameterRows(groups);
  const parameters = rows.filter(({ differs }) => differs || search.all === true);
  const task = jobs.find((job) => job.task !== null)?.task ?? null;
  const curve = metric === null ? null : { title: figureName(metric, task), curves: groupCurves(groups, metric) };
  return (
    <>
      <Panel title="Results and settings">
        <CompareTable
          groups={groups}
          metrics={metricRows(groups)}
          parameters={parameters}
          curve={curve}
          isTransposed={search.transposed === true}
          at={search.at}
        />
        {parameters.length === 0 && (
          <Text size="sm" c="dimmed">
            The settings of these runs are the same.
          </Text>
        )}
      </Panel>
      {metric !== null && (
        <Curves
          jobs={jobs}
          groups={groups}
          settings={settingsOf(groups, rows)}
          shown={metric}
          onMetric={(next) => onChange({ metric: next })}
        />
      )}
      <Varying jobs={jobs} groups={groups} />
    </>
  );
}

/** The curve that was asked for, else that of the chief metric on validation nodes; null: no run has any. */
function shownMetric(jobs: readonly ComparedJob[], asked: string | undefined): string | null {
  const names = curveNames(jobs);
  const chief = `val/${chiefOf(jobs).split("/")[1]}`;
  return [asked, chief].find((name) => name !== undefined && names.includes(name)) ?? names[0] ?? null;
}

interface CurvesProps {
  readonly jobs: readonly ComparedJob[];
  readonly groups: readonly RunGroup[];
  /** By what each run differs from the others */
  readonly settings: ReadonlyMap<string, string>;
  readonly shown: string;
  readonly onMetric: (metric: string) => void;
}

function Curves({ jobs, groups, settings, shown, onMetric }: CurvesProps) {
  const names = curveNames(jobs);
  const curves = useMemo(() => groupCurves(groups, shown), [groups, shown]);
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
        settings={settings}
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
