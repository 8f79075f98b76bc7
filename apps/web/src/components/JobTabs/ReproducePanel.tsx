import { Anchor, Text } from "@mantine/core";
import { useQuery } from "urql";
import { bootVersion } from "../../services/boot-version.ts";
import { workerBootsQuery } from "../../services/documents/workers.ts";
import { absent } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { CopyId } from "../CopyButton/CopyButton.tsx";
import { Facts } from "../Facts/Facts.tsx";
import { Panel } from "../Panel/Panel.tsx";

/** The version of the service that an attempt ran on, as far as it is kept of its worker */
function useVersionOf(attempt: JobSnapshot["attempts"][number] | undefined): string | null {
  const [{ data }] = useQuery({
    query: workerBootsQuery,
    variables: { id: attempt?.worker ?? "" },
    pause: attempt === undefined,
  });
  return attempt === undefined ? null : bootVersion(data?.workerHistory?.boots ?? [], attempt.startedAt);
}

/** What has to be the same for another run to end with the same bits. */
export function ReproducePanel({ job }: { readonly job: JobSnapshot }) {
  const { dataset, attempts, ranks } = job;
  const { train, resources } = job.spec as { train?: { seed?: number }; resources?: { ranks?: number } };
  const last = attempts.at(-1);
  const devices = [...new Set(ranks.filter(({ attempt }) => attempt === last?.number).map(({ device }) => device))];
  const version = useVersionOf(last);
  return (
    <Panel
      title="To repeat it"
      help={
        <>
          Submit the spec below on this version of the data: on the same kind of processor it ends with the same bits.{" "}
          <Anchor size="sm" underline="always" href="/help/determinism.html">
            What that rests on
          </Anchor>
        </>
      }
    >
      <Facts
        facts={[
          { label: "Dataset", value: dataset ? `${dataset.dataset.name}, version ${dataset.number}` : absent },
          { label: "Seed", value: train?.seed ?? absent },
          { label: "Ranks", value: resources?.ranks ?? absent },
          { label: "Version", value: version ?? absent, hint: "The version of the service on the worker that ran it" },
          { label: "Ran on", value: last ? [last.host, ...devices].join(", ") : absent },
        ]}
      />
      {dataset?.contentHash && (
        <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
          Content of the dataset: <CopyId name="content hash" value={dataset.contentHash} />
        </Text>
      )}
    </Panel>
  );
}
