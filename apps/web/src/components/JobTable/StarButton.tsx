import { ActionIcon } from "@mantine/core";
import { useState } from "react";
import { useMutation } from "urql";
import type { ListedJob } from "../../hooks/use-jobs.ts";
import { starJobMutation } from "../../services/documents/jobs.ts";

interface StarButtonProps {
  readonly job: Pick<ListedJob, "id" | "name" | "starred">;
  readonly onStarred: () => void;
}

/** Stars a job for everybody who sees it; shown at once, and taken back when the service refuses. */
export function StarButton({ job, onStarred }: StarButtonProps) {
  const [, star] = useMutation(starJobMutation);
  const [pending, setPending] = useState<boolean | null>(null);
  const isStarred = pending ?? job.starred;
  const toggle = async () => {
    setPending(!isStarred);
    const { data } = await star({ id: job.id, starred: !isStarred });
    if (data) onStarred();
    else setPending(null);
  };
  if (pending === job.starred) setPending(null);
  return (
    <ActionIcon
      variant="transparent"
      color={isStarred ? "yellow" : "gray"}
      aria-label={`Star ${job.name || job.id}`}
      aria-pressed={isStarred}
      onClick={() => void toggle()}
    >
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <path
          d="M8 1.800 9.900 5.800l4.300.5-3.200 3 .9 4.300L8 11.500l-3.900 2.100.9-4.300-3.200-3 4.300-.5Z"
          fill={isStarred ? "currentColor" : "none"}
          stroke="currentColor"
          strokeLinejoin="round"
        />
      </svg>
    </ActionIcon>
  );
}
