import { Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { LimitsForm } from "../components/Projects/LimitsForm.tsx";
import { PricesForm } from "../components/Projects/PricesForm.tsx";
import { ProjectTable } from "../components/Projects/ProjectTable.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { useLiveRefresh } from "../hooks/use-live-refresh.ts";
import { useNow } from "../hooks/use-now.ts";
import { viewerQuery } from "../services/documents/account.ts";
import { projectUseQuery } from "../services/documents/projects.ts";
import { type SpanChoice, spanChoices, spanOf } from "../services/use-span.ts";

const topics = ["QUEUE", "WORKERS"] as const;

/** What projects may use, have used, and what that cost. */
export function ProjectsPage() {
  const [{ data: viewer }] = useQuery({ query: viewerQuery });
  return (
    <>
      <PageHeader title="Projects" help="What each project used, what that cost, and how much it may hold at once." />
      {viewer?.me.role === "ADMIN" ? (
        <Projects maySet={viewer.me.project === null} />
      ) : (
        viewer && <EmptyState title="For admins">Ask an admin what your project used and may use.</EmptyState>
      )}
    </>
  );
}

function Projects({ maySet }: { readonly maySet: boolean }) {
  const [choice, setChoice] = useState<SpanChoice>("month");
  const [days, setDays] = useState<readonly [string, string]>(["", ""]);
  const [chosen, setChosen] = useState<string | null>(null);
  const span = spanOf(choice, days, new Date(useNow(true, 60_000)));
  const variables = { since: span?.from ?? null, until: span?.to ?? null };
  const [state, refetch] = useQuery({ query: projectUseQuery, variables, pause: span === null });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 30_000 });
  return (
    <QueryView state={state} onRetry={refresh}>
      {({ projectUse, projects }) => {
        const limited = projects.find(({ id }) => id === chosen);
        return (
          <Stack gap="lg">
            <Panel
              title="Use and cost"
              help="A rank hour is an hour of a slot that a rank or a sampler process held, by jobs of every kind. Days and months are those of UTC."
              aside={<SpanFields choice={choice} onChoice={setChoice} days={days} onDays={setDays} />}
            >
              <ProjectTable use={projectUse} projects={projects} {...(maySet && { onLimits: setChosen })} />
            </Panel>
            {limited && (
              <LimitsForm key={limited.id} project={limited} onDone={() => setChosen(null)} onSaved={refresh} />
            )}
            {maySet && (
              <PricesForm key={JSON.stringify(projectUse.prices)} prices={projectUse.prices} onSaved={refresh} />
            )}
          </Stack>
        );
      }}
    </QueryView>
  );
}

interface SpanFieldsProps {
  readonly choice: SpanChoice;
  readonly onChoice: (choice: SpanChoice) => void;
  readonly days: readonly [string, string];
  readonly onDays: (days: readonly [string, string]) => void;
}

function SpanFields({ choice, onChoice, days: [first, last], onDays }: SpanFieldsProps) {
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label="Span of time"
        data={spanChoices.map((one) => ({ ...one }))}
        value={choice}
        onChange={(event) => onChoice(event.currentTarget.value as SpanChoice)}
      />
      {choice === "days" && (
        <>
          <TextInput
            label="First day"
            type="date"
            value={first}
            onChange={(event) => onDays([event.currentTarget.value, last])}
          />
          <TextInput
            label="Last day"
            type="date"
            value={last}
            onChange={(event) => onDays([first, event.currentTarget.value])}
          />
        </>
      )}
    </Group>
  );
}
