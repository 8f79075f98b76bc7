import { Code, Switch, Text, Timeline } from "@mantine/core";
import { useState } from "react";
import { formatClock, formatCount } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { memberLabel } from "../../services/log-filter.ts";

interface IncidentListProps {
  readonly incidents: JobSnapshot["incidents"];
  readonly attempts: JobSnapshot["attempts"];
}

interface Happening {
  readonly at: string;
  readonly title: string;
  readonly detail: string | null;
  readonly code: string | null;
  /** Something broke; else the job was asked for it, or went on. */
  readonly isFailure: boolean;
}

/** What disturbed the job and how it went on, oldest first. */
export function IncidentList({ incidents, attempts }: IncidentListProps) {
  const [isFiltered, setFiltered] = useState(false);
  const all = happeningsOf({ incidents, attempts });
  const failures = all.filter(({ isFailure }) => isFailure);
  const happenings = isFiltered ? failures : all;
  return (
    <>
      {failures.length > 0 && failures.length < all.length && (
        <Switch
          label={`Only the ${failures.length === 1 ? "failure" : `${formatCount(failures.length)} failures`} of ${formatCount(all.length)} entries`}
          size="xs"
          checked={isFiltered}
          onChange={(event) => setFiltered(event.currentTarget.checked)}
        />
      )}
      <Happenings happenings={happenings} />
    </>
  );
}

function Happenings({ happenings }: { readonly happenings: readonly Happening[] }) {
  return (
    <Timeline bulletSize={14} lineWidth={2} active={happenings.length} color="orange" aria-label="Incidents">
      {happenings.map((one) => (
        <Timeline.Item key={`${one.at} ${one.title}`} title={<Text size="sm">{one.title}</Text>}>
          {one.detail && (
            <Text size="sm" c="dimmed">
              {one.detail}
            </Text>
          )}
          <Text size="xs" c="dimmed" className="num">
            {formatClock(one.at)} {one.code && <Code>{one.code}</Code>}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function happeningsOf({ incidents, attempts }: IncidentListProps): Happening[] {
  const raised = incidents.map((incident) => ({
    at: incident.at,
    title: incident.message,
    detail: [
      incident.member === null ? null : memberLabel(incident.member),
      incident.host === null ? null : `on ${incident.host}`,
      `in attempt ${incident.attempt}`,
    ]
      .filter(Boolean)
      .join(" "),
    code: incident.code,
    isFailure: true,
  }));
  const restarted = attempts
    .filter((attempt) => attempt.number > 1)
    .map((attempt) => ({
      at: attempt.startedAt,
      title: `Attempt ${attempt.number} started on ${attempt.host}`,
      detail: resumedFrom(attempt.resumedFromEpoch),
      code: attempt.reason,
      isFailure: false,
    }));
  return [...raised, ...restarted].toSorted((a, b) => a.at.localeCompare(b.at));
}

function resumedFrom(epoch: number | null): string {
  return epoch === null ? "There was no checkpoint yet: it began anew." : `It resumed from epoch ${epoch}.`;
}
