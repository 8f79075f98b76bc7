import { ActionIcon, Group, Progress, Text } from "@mantine/core";
import { formatBytes } from "../../services/format.ts";
import type { ShownProblem } from "../../services/problem.ts";
import classes from "./UploadList.module.css";

export interface UploadItem {
  readonly file: File;
  readonly sentBytes: number;
  readonly state: "waiting" | "sending" | "done" | "failed";
  readonly problem?: ShownProblem;
}

interface UploadListProps {
  readonly items: readonly UploadItem[];
  readonly onRemove: (name: string) => void;
  readonly isBusy: boolean;
}

/** The chosen files, each with how much of it has arrived. */
export function UploadList({ items, onRemove, isBusy }: UploadListProps) {
  return (
    <ul className={classes.list} aria-label="Files">
      {items.map((item) => (
        <li key={item.file.name} className={classes.item} data-state={item.state}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm" fw={600} className="clip">
              {item.file.name}
            </Text>
            <Group gap="sm" wrap="nowrap">
              <Text size="sm" c="dimmed" className="num" style={{ whiteSpace: "nowrap" }}>
                {item.state === "sending" ? `${formatBytes(item.sentBytes)} of ` : ""}
                {formatBytes(item.file.size)}
                {item.state === "done" ? " · uploaded" : ""}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                disabled={isBusy || item.state === "done"}
                onClick={() => onRemove(item.file.name)}
                aria-label={`Remove ${item.file.name}`}
              >
                ×
              </ActionIcon>
            </Group>
          </Group>
          <Progress
            size="sm"
            mt={6}
            color={item.state === "failed" ? "red" : "hop"}
            value={item.state === "done" ? 100 : (item.sentBytes / Math.max(1, item.file.size)) * 100}
            aria-label={`Upload of ${item.file.name}`}
          />
          {item.problem && (
            <Text size="sm" c="red" mt={4} role="alert">
              {item.problem.title}: {item.problem.detail}
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}
