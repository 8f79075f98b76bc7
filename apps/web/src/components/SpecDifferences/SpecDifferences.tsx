import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQuery } from "urql";
import { jobSpecQuery, jobsBeforeQuery } from "../../services/documents/compared-jobs.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { type SpecDifference, specDifferences, valueText } from "../../services/spec-difference.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";

const columns: readonly Column<SpecDifference>[] = [
  { head: "Setting", isRowHead: true, cell: ({ path }) => path },
  { head: "Before", cell: ({ before }) => valueText(before) },
  { head: "Now", cell: ({ after }) => valueText(after) },
];

/** What a job does otherwise than the training job that was submitted before it on the same dataset. */
export function SpecDifferences({ job }: { readonly job: JobSnapshot }) {
  const dataset = job.dataset?.dataset.id;
  const [{ data }] = useQuery({
    query: jobsBeforeQuery,
    variables: { dataset: dataset ?? "" },
    pause: dataset === undefined,
  });
  const listed = data?.jobs.edges.map(({ node }) => node) ?? [];
  // Newest first: the one behind this job was submitted before it.
  const own = listed.findIndex(({ id }) => id === job.id);
  const before = own < 0 ? undefined : listed[own + 1];
  const [{ data: found }] = useQuery({
    query: jobSpecQuery,
    variables: { id: before?.id ?? "" },
    pause: before === undefined,
  });
  if (!before || !found?.job) return null;
  const rows = specDifferences(found.job.spec, job.spec);
  return (
    <Panel
      title="What differs from the run before"
      help={
        <>
          On the same dataset:{" "}
          <Anchor component={Link} to={`/jobs/${before.id}`} size="sm">
            {before.name || before.id}
          </Anchor>
        </>
      }
      aside={<CompareLink jobs={[before.id, job.id]} />}
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing: the two have the same settings.
        </Text>
      ) : (
        <DataTable label="Differences" columns={columns} rows={rows} rowKey={({ path }) => path} minWidth={420} />
      )}
    </Panel>
  );
}

function CompareLink({ jobs }: { readonly jobs: readonly string[] }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/compare" search={{ jobs: jobs.join(",") }} />}>
      Compare the two
    </Anchor>
  );
}
