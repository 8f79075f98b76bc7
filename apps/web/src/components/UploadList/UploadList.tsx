import { ActionIcon, Group, Progress, Text } from "@mantine/core";
import { useNow } from "../../hooks/use-now.ts";
import type { UploadItem } from "../../services/dataset-upload.ts";
import { formatBytes, formatSeconds } from "../../services/format.ts";
import { type Pace, speedOf } from "../../services/upload-pace.ts";
import classes from "./UploadList.module.css";

interface UploadListProps {
  readonly items: readonly UploadItem[];
  readonly startedAtMs: number | null;
  readonly onRemove: (name: string) => void;
  readonly isBusy: boolean;
}

/** The chosen files, each with how much of it has arrived, or why it is not sent; and how far all of them are. */
export function UploadList({ items, startedAtMs, onRemove, isBusy }: UploadListProps) {
  const now = useNow(isBusy, 500);
  const sent = items.filter(({ objection }) => objection === null);
  const totalBytes = sent.reduce((sum, { file }) => sum + file.size, 0);
  const sentBytes = sent.reduce((sum, item) => sum + item.sentBytes, 0);
  return (
    <>
      <ul className={classes.list} aria-label="Files">
        {items.map((item) => (
          <UploadRow key={item.name} item={item} now={now} onRemove={onRemove} isBusy={isBusy} />
        ))}
      </ul>
      {isBusy && (
        <Text size="sm" className="num" role="status" aria-label="All files">
          All files: {formatBytes(sentBytes)} of {formatBytes(totalBytes)}
          <PaceText pace={{ sentBytes, totalBytes, startedAtMs }} now={now} />
        </Text>
      )}
    </>
  );
}

interface UploadRowProps {
  readonly item: UploadItem;
  readonly now: number;
  readonly onRemove: (name: string) => void;
  readonly isBusy: boolean;
}

function UploadRow({ item, now, onRemove, isBusy }: UploadRowProps) {
  const { file, name, sentBytes, state, objection } = item;
  return (
    <li className={classes.item} data-state={objection === null ? state : "refused"}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={600} className="clip" title={name}>
          {name}
        </Text>
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" c="dimmed" className="num" style={{ whiteSpace: "nowrap" }}>
            {state === "sending" ? `${formatBytes(sentBytes)} of ` : ""}
            {formatBytes(file.size)}
            {state === "done" ? " · uploaded" : ""}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            disabled={isBusy || state === "done"}
            onClick={() => onRemove(name)}
            aria-label={`Remove ${name}`}
          >
            ×
          </ActionIcon>
        </Group>
      </Group>
      {objection === null && (
        <Progress
          size="sm"
          mt={6}
          color={state === "failed" ? "red" : "hop"}
          value={state === "done" ? 100 : percent(item.finishedBytes ?? sentBytes, file)}
          aria-label={`Upload of ${name}`}
        />
      )}
      {state === "sending" && <SendingText item={item} now={now} />}
      <UploadNotes item={item} />
    </li>
  );
}

/** How far a file is on its way, or, once all of it has come, how far the service is with putting it together. */
function SendingText({ item, now }: { readonly item: UploadItem; readonly now: number }) {
  const { file, sentBytes, finishedBytes, startedAtMs } = item;
  const share = finishedBytes === null ? "" : `: ${Math.floor(percent(finishedBytes, file))} %`;
  return (
    <Text size="xs" c="dimmed" mt={4} className="num">
      {sentBytes === file.size ? (
        `All of it has come; the service is putting the file together${share}`
      ) : (
        <>
          {Math.floor(percent(sentBytes, file))} %
          <PaceText pace={{ sentBytes, totalBytes: file.size, startedAtMs }} now={now} />
        </>
      )}
    </Text>
  );
}

function percent(bytes: number, file: File): number {
  return (bytes / Math.max(1, file.size)) * 100;
}

/** Why a file is not sent, waits or did not arrive, and what it replaces. */
function UploadNotes({ item }: { readonly item: UploadItem }) {
  const { state, objection, replaces, problem, waiting } = item;
  return (
    <>
      {state === "sending" && typeof waiting === "string" && (
        <Text size="sm" c="dimmed" mt={4} role="status">
          {waiting} It goes on by itself from where it is.
        </Text>
      )}
      {objection !== null && (
        <Text size="sm" c="red" mt={4} role="alert">
          {objection} It is not sent.
        </Text>
      )}
      {replaces !== null && state === "waiting" && (
        <Text size="sm" c="dimmed" mt={4} role="status">
          {replaces}
        </Text>
      )}
      {problem && (
        <Text size="sm" c="red" mt={4} role="alert">
          {problem.title}: {problem.detail}
        </Text>
      )}
    </>
  );
}

function PaceText({ pace, now }: { readonly pace: Pace; readonly now: number }) {
  const speed = speedOf(pace, now);
  if (speed === null || pace.sentBytes >= pace.totalBytes) return null;
  return ` · ${formatBytes(speed.bytesPerSecond)}/s · about ${formatSeconds(speed.secondsLeft)} left`;
}
