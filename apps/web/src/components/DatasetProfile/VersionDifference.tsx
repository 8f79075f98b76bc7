import { type DriftedGraph, datasetDrift } from "@hopwise/client";
import { Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useQuery } from "urql";
import { type VersionDifference as Difference, versionDifferences } from "../../services/dataset-difference.ts";
import { comparedVersionsQuery } from "../../services/documents/datasets.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { DriftTable } from "./DriftTable.tsx";
import { profileOf } from "./graph-profile.ts";

interface VersionDifferenceProps {
  readonly datasetId: string;
  /** Numbers of all versions, newest first */
  readonly numbers: readonly number[];
  /** The one that is shown */
  readonly shown: number;
}

/** What differs between the version that is shown and another one of the same dataset. */
export function VersionDifference({ datasetId, numbers, shown }: VersionDifferenceProps) {
  const others = numbers.filter((number) => number !== shown);
  const [chosen, setChosen] = useState<number | null>(null);
  const other = chosen !== null && others.includes(chosen) ? chosen : null;
  if (others.length === 0) return null;
  return (
    <>
      <Select
        label={`What differs between version ${shown} and`}
        placeholder="Choose a version"
        maw={320}
        data={others.map((number) => ({ value: String(number), label: `Version ${number}` }))}
        value={other === null ? null : String(other)}
        onChange={(value) => setChosen(value === null ? null : Number(value))}
        clearable
      />
      {other !== null && (
        <Differences datasetId={datasetId} before={Math.min(other, shown)} after={Math.max(other, shown)} />
      )}
    </>
  );
}

interface DifferencesProps {
  readonly datasetId: string;
  readonly before: number;
  readonly after: number;
}

function Differences({ datasetId, before, after }: DifferencesProps) {
  const [state, refetch] = useQuery({
    query: comparedVersionsQuery,
    variables: { id: datasetId, earlier: before, later: after },
  });
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="lines">
      {({ dataset }) => {
        if (!dataset?.before || !dataset.after) return null;
        const rows = versionDifferences(dataset.before, dataset.after);
        if (rows.length === 0) return <Text size="sm">Nothing: files, mapping and figures are the same.</Text>;
        const [old, now] = [driftedOf(dataset.before), driftedOf(dataset.after)];
        return (
          <Stack gap="md">
            <DataTable
              label="Differences"
              columns={columnsOf(before, after)}
              rows={rows}
              rowKey={({ what }) => what}
              minWidth={420}
            />
            {old && now && <DriftTable drifts={datasetDrift(old, now)} before={before} after={after} />}
          </Stack>
        );
      }}
    </QueryView>
  );
}

type Compared = NonNullable<NonNullable<ResultOf<typeof comparedVersionsQuery>["dataset"]>["before"]>;

function driftedOf({ graph }: Compared): DriftedGraph | null {
  return graph && { ...graph, profile: profileOf(graph) };
}

function columnsOf(before: number, after: number): readonly Column<Difference>[] {
  return [
    { head: "What", isRowHead: true, cell: ({ what }) => what },
    { head: `Version ${before}`, cell: (row) => row.before },
    { head: `Version ${after}`, cell: (row) => row.after },
  ];
}
