import { Text } from "@mantine/core";
import { useState } from "react";
import { useWorkerLog, type WorkerLogLine } from "../../hooks/use-worker-log.ts";
import { saveFile } from "../../services/download.ts";
import { formatClock, formatDateTime, formatFields, formatWeekday } from "../../services/format.ts";
import { passesFilter } from "../../services/log-filter.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { LogControls, type LogLook } from "../LogTail/LogControls.tsx";
import classes from "../LogTail/LogTail.module.css";
import { useLogScrolling } from "../LogTail/use-log-scrolling.ts";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

/** What the process of a worker says of itself, as it says it. */
export function WorkerLog({ workerId }: { readonly workerId: string }) {
  const { lines, error, refresh } = useWorkerLog(workerId);
  return (
    <Panel
      title="Log"
      help="What the worker itself wrote; its jobs have logs of their own. Its newest 256 to 512 kB are kept for seven days."
    >
      {error && lines === null && <ProblemAlert problem={problemFromGraphql(error)} onRetry={refresh} />}
      {lines && <Lines workerId={workerId} lines={lines} />}
    </Panel>
  );
}

interface LinesProps {
  readonly workerId: string;
  readonly lines: readonly WorkerLogLine[];
}

function Lines({ workerId, lines }: LinesProps) {
  const [look, setLook] = useState<LogLook>({
    level: "info",
    member: null,
    search: "",
    isPattern: false,
    follows: true,
    wraps: true,
  });
  const shown = lines.filter((line) => passesFilter({ ...line, member: "" }, "", look));
  const { boxRef, onScroll } = useLogScrolling({ shown, look, setLook });
  return (
    <>
      <LogControls look={look} onLook={setLook} onDownload={async () => save(workerId, lines)} isDownloading={false}>
        {shown.length} of {lines.length} lines
      </LogControls>
      <div
        ref={boxRef}
        className={classes.box}
        data-empty={shown.length === 0}
        data-wraps={look.wraps}
        role="log"
        aria-label="Log of the worker"
        onScroll={onScroll}
        tabIndex={0}
      >
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            {lines.length > 0 ? "No line fits the filter." : "It has sent no line within seven days."}
          </Text>
        )}
        {shown.map(({ cursor, at, level, message, fields }) => (
          <div key={cursor} className={classes.line} data-level={level}>
            <span className={classes.time} title={formatDateTime(at)}>
              {formatClock(at)}
            </span>
            <span className={classes.source}>{formatWeekday(at)}</span>
            <span className={classes.message}>
              {message} <span className={classes.fields}>{formatFields(fields)}</span>
            </span>
          </div>
        ))}
      </div>
    </>
  );
}

/** All that is known of it, whatever the filter shows. */
function save(workerId: string, lines: readonly WorkerLogLine[]): void {
  const parts = lines.map(({ at, level, message, fields }) => {
    return `${`${at} ${level} ${message} ${formatFields(fields)}`.trimEnd()}\n`;
  });
  saveFile(new File(parts, `worker-${workerId}.log`, { type: "text/plain" }));
}
