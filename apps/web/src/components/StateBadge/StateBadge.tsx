import { Badge } from "@mantine/core";
import { humanize } from "../../services/format.ts";

const colors: Readonly<Record<string, string>> = {
  SUCCEEDED: "hop",
  READY: "hop",
  ONLINE: "hop",
  FINISHED: "hop",
  RUNNING: "blue",
  STARTING: "blue",
  INGESTING: "blue",
  UPLOADING: "gray",
  MAPPING: "yellow",
  QUEUED: "gray",
  PENDING: "gray",
  CANCELLING: "orange",
  CANCELLED: "gray",
  DRAINING: "orange",
  LOST: "red",
  OFFLINE: "red",
  FAILED: "red",
};

const words: Readonly<Record<string, string>> = {
  MAPPING: "Needs mapping",
  READY: "Ready",
  SKIPPED: "Not run",
};

interface StateBadgeProps {
  readonly state: string;
  readonly size?: "sm" | "md" | "lg";
}

/** A state in words and a restrained colour; the words alone say it all. */
export function StateBadge({ state, size = "md" }: StateBadgeProps) {
  return (
    <Badge color={colors[state] ?? "gray"} variant="light" size={size} radius="sm" tt="none" fw={600} miw="max-content">
      {words[state] ?? humanize(state.toLowerCase())}
    </Badge>
  );
}
