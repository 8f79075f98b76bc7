import { Code, Group, Text } from "@mantine/core";
import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { type createWebhookMutation, webhooksQuery } from "../../services/documents/notices.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { NewWebhook } from "./NewWebhook.tsx";
import { isMail, WebhookList } from "./WebhookList.tsx";

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
  const shown = (mail: boolean) => state.data?.webhooks.filter((one) => isMail(one) === mail) ?? [];
  const mailFrom = state.data?.mailFrom ?? null;
  return (
    <>
      <Panel
        title="Webhooks"
        help="Each event is posted as JSON, signed with the webhook's secret. The guide to notifications has an example that checks it."
      >
        <NewWebhook
          kind="webhook"
          onCreated={onCreated}
          issued={
            issued?.secret
              ? { what: `Secret of “${issued.webhook.name}”`, shown: <Secret secret={issued.secret} /> }
              : null
          }
        />
        <QueryView state={state} onRetry={refresh}>
          {() => shown(false).length > 0 && <WebhookList webhooks={shown(false)} onRemoved={onRemoved} />}
        </QueryView>
      </Panel>
      {(mailFrom !== null || shown(true).length > 0) && (
        <Panel
          title="E-mail"
          help={
            mailFrom === null ? "The service sends none now: it has no server for it." : `It comes from ${mailFrom}.`
          }
        >
          {mailFrom !== null && <NewWebhook kind="mail" onCreated={onCreated} issued={null} />}
          {shown(true).length > 0 && <WebhookList webhooks={shown(true)} onRemoved={onRemoved} />}
        </Panel>
      )}
    </>
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
