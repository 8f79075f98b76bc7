import { Code, Group, Text } from "@mantine/core";
import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { type createWebhookMutation, webhooksQuery } from "../../services/documents.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { NewWebhook } from "./NewWebhook.tsx";
import { WebhookList } from "./WebhookList.tsx";

export type Issued = ResultOf<typeof createWebhookMutation>["createWebhook"];

/** Addresses that are told what happens. */
export function WebhooksPanel() {
  const [state, refetch] = useQuery({ query: webhooksQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const [issued, setIssued] = useState<Issued | null>(null);
  const onCreated = (created: Issued) => {
    setIssued(created);
    refresh();
  };
  const onRemoved = (id: string) => {
    setIssued((shown) => (shown?.webhook.id === id ? null : shown));
    refresh();
  };
  return (
    <Panel
      title="Webhooks"
      help="Each event is posted as JSON, signed with the webhook's secret. The guide to notifications has an example that checks it."
    >
      <NewWebhook
        onCreated={onCreated}
        issued={issued && { what: `Secret of “${issued.webhook.name}”`, shown: <Secret secret={issued.secret} /> }}
      />
      <QueryView state={state} onRetry={refresh}>
        {({ webhooks }) => webhooks.length > 0 && <WebhookList webhooks={webhooks} onRemoved={onRemoved} />}
      </QueryView>
    </Panel>
  );
}

function Secret({ secret }: { readonly secret: string }) {
  return (
    <>
      <Group gap="sm">
        <Code fz="sm" style={{ overflowWrap: "anywhere" }}>
          {secret}
        </Code>
        <CopyButton label="Copy the secret" value={secret} />
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        The receiver needs it to check that a request comes from here.
      </Text>
    </>
  );
}
