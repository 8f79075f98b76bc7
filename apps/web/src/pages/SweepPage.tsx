import { Group, List, Stack, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { useQuery } from "urql";
import { Ago } from "../components/Ago/Ago.tsx";
import { CopyId } from "../components/CopyButton/CopyButton.tsx";
import { LoadingShape } from "../components/LoadingShape/LoadingShape.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { SettingTable, type SummedSweep } from "../components/Sweeps/SettingTable.tsx";
import { SweepActions } from "../components/Sweeps/SweepActions.tsx";
import { useLiveRefresh } from "../hooks/use-live-refresh.ts";
import { sweepQuery } from "../services/documents/sweeps.ts";
import { formatSeconds } from "../services/format.ts";
import { problemFromGraphql } from "../services/problem.ts";
import { countsText } from "../services/sweep-table.ts";
import { NothingHere } from "./NotFoundPage.tsx";

const topics = ["JOBS"] as const;

/** A sweep: how far its jobs are, what each setting came to over its seeds, and which is the best. */
export function SweepPage() {
  const { sweepId } = useParams({ from: "/shell/sweeps/$sweepId" });
  const [{ data, error, fetching }, refetch] = useQuery({ query: sweepQuery, variables: { id: sweepId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const isOver = data?.sweep ? data.sweep.sweep.finishedAt !== null : false;
  useLiveRefresh({ refresh, isFetching: fetching, topics, everyMs: 3000, isActive: !isOver });
  if (data?.sweep) return <OneSweep summed={data.sweep} onChanged={refresh} />;
  if (data) return <NothingHere what="sweep" />;
  return error ? (
    <ProblemAlert problem={problemFromGraphql(error)} onRetry={refresh} />
  ) : (
    <LoadingShape shape="table" />
  );
}

function OneSweep({ summed, onChanged }: { readonly summed: SummedSweep; readonly onChanged: () => void }) {
  const { sweep, best } = summed;
  return (
    <>
      <PageHeader
        title={sweep.name}
        help={
          <Group gap="md" fz="sm" className="num">
            <CopyId name="sweep id" value={sweep.id} />
            <span>{sweep.datasetName}</span>
            <span>
              submitted <Ago at={sweep.createdAt} />
            </span>
            <span role="status">{countsText(sweep.counts)}</span>
          </Group>
        }
        actions={<SweepActions summed={summed} onChanged={onChanged} />}
      />
      <Stack gap="lg">
        {sweep.search && (
          <Panel
            title="Search"
            help={`Models and settings are tried for ${formatSeconds(sweep.search.budgetSeconds)} of training time.`}
          >
            <List type="ordered" size="sm" spacing="xs">
              {sweep.search.decisions.map((decision) => (
                <List.Item key={decision}>{decision}</List.Item>
              ))}
            </List>
          </Panel>
        )}
        <Panel
          title="Settings"
          help="Mean and standard deviation over the seeds. Settings are chosen by the validation set; the test set chooses nothing."
        >
          {best && <Text size="sm">{best.reason}</Text>}
          <SettingTable summed={summed} />
        </Panel>
      </Stack>
    </>
  );
}
