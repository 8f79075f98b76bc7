import { limits } from "@hopwise/contracts/limits";
import { Button, Group, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useMutation, useQuery } from "urql";
import { viewerQuery } from "../../services/documents/account.ts";
import { noteJobMutation } from "../../services/documents/jobs.ts";
import { formatCount } from "../../services/format.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface NotePanelProps {
  readonly jobId: string;
  /** As it is kept. */
  readonly note: string;
  /** Called when another one is kept. */
  readonly onNoted: () => void;
}

/** What people write about a job, for everybody who sees it; those who may only look read it. */
export function NotePanel(props: NotePanelProps) {
  const [{ data }] = useQuery({ query: viewerQuery });
  const mayWrite = data !== undefined && data.me.role !== "VIEWER";
  if (!mayWrite && props.note === "") return null;
  return (
    <Panel title="Note" help="For everybody who sees the job.">
      {mayWrite ? (
        <NoteForm {...props} />
      ) : (
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {props.note}
        </Text>
      )}
    </Panel>
  );
}

function NoteForm({ jobId, note: told, onNoted }: NotePanelProps) {
  // null: nothing was typed since it was kept, so that what others write shows.
  const [draft, setDraft] = useState<string | null>(null);
  const [kept, setKept] = useState({ inPlaceOf: told, note: told });
  // What was kept a moment ago counts until the job is told of anew.
  const note = kept.inPlaceOf === told ? kept.note : told;
  const [{ fetching, error }, keep] = useMutation(noteJobMutation);
  const text = draft ?? note;
  const excess = text.length - limits.jobNoteLength;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await keep({ id: jobId, note: text });
    if (!data) return;
    setKept({ inPlaceOf: told, note: text });
    setDraft(null);
    onNoted();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      <Textarea
        aria-label="Note"
        placeholder="What was tried, and what came of it"
        rows={Math.min(20, Math.max(2, text.split("\n").length))}
        value={text}
        error={
          excess > 0 &&
          `Found ${formatCount(text.length)} characters, expected ${formatCount(limits.jobNoteLength)} at most.`
        }
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {text !== note && (
        <Group gap="xs" mt="xs">
          <Button size="xs" type="submit" loading={fetching} disabled={excess > 0}>
            Save the note
          </Button>
          <Button size="xs" variant="default" onClick={() => setDraft(null)} disabled={fetching}>
            Discard
          </Button>
        </Group>
      )}
    </form>
  );
}
