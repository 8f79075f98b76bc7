import { Button, Group, Menu, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMutation } from "urql";
import { cancelJobMutation, deleteJobMutation } from "../../services/documents.ts";
import { isEnded, type JobSnapshot } from "../../services/job-state.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

/** What can be done with a job: look at its results, stop it while it runs, delete it after. */
export function JobActions({ job }: { readonly job: JobSnapshot }) {
  return (
    <>
      {job.embeddings && (
        <Button component={Link} to={`/jobs/${job.id}/embeddings`}>
          Embeddings and downloads
        </Button>
      )}
      {isEnded(job.state) ? <DeleteJob job={job} /> : <CancelJob job={job} />}
    </>
  );
}

function CancelJob({ job }: { readonly job: JobSnapshot }) {
  const [asks, { open, close }] = useDisclosure();
  const [{ fetching, error }, cancel] = useMutation(cancelJobMutation);
  const confirm = async () => {
    const answer = await cancel({ id: job.id });
    if (answer.data) close();
  };
  return (
    <>
      <Button variant="default" color="red" onClick={open} disabled={job.state === "CANCELLING"}>
        {job.state === "CANCELLING" ? "Cancelling" : "Cancel"}
      </Button>
      <Modal opened={asks} onClose={close} title="Cancel this job?" centered>
        <Stack>
          <Text size="sm">
            It stops within seconds. What its finished stages made is kept and can be reused by another job.
          </Text>
          {error && <ProblemAlert problem={problemFromGraphql(error)} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Let it run
            </Button>
            <Button color="red" loading={fetching} onClick={() => void confirm()}>
              Cancel the job
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function DeleteJob({ job }: { readonly job: JobSnapshot }) {
  const navigate = useNavigate();
  const [asks, { open, close }] = useDisclosure();
  const [{ fetching, error }, remove] = useMutation(deleteJobMutation);
  const confirm = async () => {
    const answer = await remove({ id: job.id });
    if (answer.data) await navigate({ to: "/jobs" });
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" onClick={open}>
            Delete this job…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={asks} onClose={close} title={`Delete ${job.name || "this job"}?`} centered>
        <Stack>
          <Text size="sm">
            Its model, embeddings, predictions, curves and log go for good. The dataset stays, and so does what other
            jobs use of its results.
          </Text>
          {error && <ProblemAlert problem={problemFromGraphql(error)} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep it
            </Button>
            <Button color="red" loading={fetching} onClick={() => void confirm()}>
              Delete the job
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
