import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useMutation } from "urql";
import { deleteWebhookMutation, testWebhookMutation, type webhooksQuery } from "../../services/documents/notices.ts";
import { humanize } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { DeliveryLog } from "./DeliveryLog.tsx";

type Webhook = ResultOf<typeof webhooksQuery>["webhooks"][number];

interface WebhookListProps {
  readonly webhooks: readonly Webhook[];
  readonly onRemoved: (id: string) => void;
}

/** Each webhook with a test, its log, and the way to be rid of it. */
export function WebhookList({ webhooks, onRemoved }: WebhookListProps) {
  const [asked, setAsked] = useState<Webhook | null>(null);
  const [{ fetching, error }, remove] = useMutation(deleteWebhookMutation);
  const confirm = async ({ id }: Webhook) => {
    const { data } = await remove({ id });
    if (!data) return;
    setAsked(null);
    onRemoved(id);
  };
  return (
    <Stack gap="md">
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} onRemove={() => setAsked(webhook)} />
      ))}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? `Remove ${asked.name}?` : ""}
        error={error}
        isBusy={fetching}
        keep="Keep it"
        confirm="Remove it"
        onConfirm={() => asked && void confirm(asked)}
      >
        Nothing more is sent to it, not even what waits for another attempt, and its log goes too.
      </ConfirmDialog>
    </Stack>
  );
}

/** Whether e-mail is sent in place of a request. */
export function isMail({ url }: Pick<Webhook, "url">): boolean {
  return url.toLowerCase().startsWith("mailto:");
}

function WebhookRow({ webhook, onRemove }: { readonly webhook: Webhook; readonly onRemove: () => void }) {
  const { id, name, url, events } = webhook;
  const [isOpen, setIsOpen] = useState(false);
  const [tests, setTests] = useState(0);
  const [{ fetching, error }, test] = useMutation(testWebhookMutation);
  const send = async () => {
    await test({ id });
    setIsOpen(true);
    setTests((count) => count + 1);
  };
  return (
    <section
      aria-label={`${isMail(webhook) ? "E-mail" : "Webhook"} ${name}`}
      style={{ borderTop: "1px solid var(--hop-border)", paddingTop: 12 }}
    >
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: "1 1 260px" }}>
          <Text fw={600}>{name}</Text>
          <Code style={{ overflowWrap: "anywhere" }}>{isMail(webhook) ? url.slice("mailto:".length) : url}</Code>
          <Text size="xs" c="dimmed">
            {events.map((event) => humanize(event.toLowerCase())).join(", ")}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={fetching} onClick={() => void send()}>
            Send a test
          </Button>
          <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? "Hide the log" : "Show the log"}
          </Button>
          <Button size="xs" variant="default" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </Group>
      </Group>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      {isOpen && <DeliveryLog key={tests} webhook={id} name={name} />}
    </section>
  );
}
