import { Anchor, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { useClient } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { LoadingShape } from "../components/LoadingShape/LoadingShape.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { UploadModel } from "../components/Models/UploadModel.tsx";
import { VersionTable } from "../components/Models/VersionTable.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { useNow } from "../hooks/use-now.ts";
import { usePages } from "../hooks/use-pages.ts";
import { comparedJobs } from "../services/compared-versions.ts";
import { modelsQuery } from "../services/documents/models.ts";
import { problemFromGraphql } from "../services/problem.ts";

const pageSize = 20;

/** Models that are kept under a name, and where each version stands. */
export function ModelsPage() {
  const client = useClient();
  const load = useCallback(
    async (after: string | null) => {
      const variables = { first: pageSize, after };
      const { data, error } = await client.query(modelsQuery, variables, { requestPolicy: "network-only" });
      return { page: data?.registeredModels, error };
    },
    [client],
  );
  const { data, error, isLoading, refresh, loadMore } = usePages(load);
  const now = useNow(true, 30_000);
  return (
    <>
      <PageHeader
        title="Models"
        help="What jobs have trained, kept under a name: apply a version to tomorrow’s nodes, or move it to production."
        actions={<UploadModel />}
      />
      <Stack gap="lg">
        {error && <ProblemAlert problem={problemFromGraphql(error)} onRetry={refresh} />}
        {!data && !error && <LoadingShape shape="table" />}
        {data?.nodes.length === 0 && (
          <EmptyState title="No model is kept yet">
            Open a training job that has succeeded and press “Keep the model”, or upload one that was trained elsewhere.
          </EmptyState>
        )}
        {data?.nodes.map((model) => (
          <Panel key={model.id} title={model.name} aside={<CompareVersions jobs={comparedJobs(model.versions)} />}>
            <VersionTable model={model} now={now} onChanged={refresh} />
          </Panel>
        ))}
        {data && <LoadMore hasMore={data.hasMore} isLoading={isLoading} onMore={loadMore} />}
      </Stack>
    </>
  );
}

/** The way to the runs behind the versions, side by side; one run is compared with nothing. */
function CompareVersions({ jobs }: { readonly jobs: readonly string[] }) {
  if (jobs.length < 2) return null;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/compare" search={{ jobs: jobs.join(",") }} />}>
      Compare the versions
    </Anchor>
  );
}
