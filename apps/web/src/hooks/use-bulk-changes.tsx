import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { type CombinedError, useClient } from "urql";
import { jobDeletion } from "../services/deferred-deletion.ts";
import { cancelJobMutation, deleteJobMutation, tagJobMutation } from "../services/documents/jobs.ts";
import { problemFromGraphql } from "../services/problem.ts";
import type { ListedJob } from "./use-jobs.ts";

export const undoMs = 8000;

interface Answer {
  readonly error?: CombinedError | undefined;
}

export interface BulkChanges {
  readonly isBusy: boolean;
  /** Stops those that have not ended. */
  readonly cancel: (jobs: readonly ListedJob[]) => Promise<void>;
  readonly tag: (jobs: readonly ListedJob[], name: string, value: string) => Promise<void>;
  /** Deletes those that have ended, unless it is taken back within the time that the note stands. */
  readonly remove: (jobs: readonly ListedJob[]) => void;
}

/** What is done with many jobs at once: one request after the other, and what is refused is told. */
export function useBulkChanges(onChanged: () => void): BulkChanges {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const each = async (jobs: readonly ListedJob[], change: (job: ListedJob) => Promise<Answer>) => {
    setIsBusy(true);
    for (const job of jobs) tellRefusal(job, await change(job));
    setIsBusy(false);
    onChanged();
  };
  return {
    isBusy,
    cancel: (jobs) =>
      each(
        jobs.filter(({ state }) => !isTerminal(state)),
        ({ id }) => client.mutation(cancelJobMutation, { id }).toPromise(),
      ),
    tag: (jobs, name, value) =>
      each(jobs, ({ id, tags }) =>
        client.mutation(tagJobMutation, { id, tags: { ...(tags as object | null), [name]: value } }).toPromise(),
      ),
    remove: (jobs) => {
      const ended = jobs.filter(({ state }) => isTerminal(state));
      const remove = async (id: string) => {
        const answer = await client.mutation(deleteJobMutation, { id }).toPromise();
        const job = ended.find((one) => one.id === id);
        if (job) tellRefusal(job, answer);
        return !answer.error;
      };
      const undo = jobDeletion.start(
        ended.map(({ id }) => id),
        undoMs,
        remove,
      );
      offerUndo(ended.length, undo);
    },
  };
}

function tellRefusal({ name, id }: ListedJob, { error }: Answer): void {
  if (!error) return;
  const { title, detail } = problemFromGraphql(error);
  notifications.show({ color: "red", title: `${name || id}: ${title}`, message: detail });
}

function offerUndo(count: number, undo: () => void): void {
  const id = "undo-deletion";
  const take = () => {
    undo();
    notifications.hide(id);
  };
  notifications.show({
    id,
    autoClose: undoMs,
    title: count === 1 ? "1 job is deleted" : `${count} jobs are deleted`,
    message: (
      <Group justify="space-between" gap="xs">
        With their models, embeddings and logs.
        <Button size="compact-sm" variant="default" onClick={take}>
          Undo
        </Button>
      </Group>
    ),
  });
}
