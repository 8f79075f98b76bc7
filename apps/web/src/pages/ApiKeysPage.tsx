import { Code, Group, Paper, Select, Stack, Text, TextInput } from "@mantine/core";
import { useCallback, useState } from "react";
import { useMutation, useQuery } from "urql";
import { CopyButton } from "../components/CopyButton/CopyButton.tsx";
import type { Column } from "../components/DataTable/DataTable.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { SourceCredentials } from "../components/Imports/SourceCredentials.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { RevocableTable } from "../components/SecretForm/RevocableTable.tsx";
import { SecretForm } from "../components/SecretForm/SecretForm.tsx";
import { useNow } from "../hooks/use-now.ts";
import {
  apiKeysQuery,
  createApiKeyMutation,
  revokeApiKeyMutation,
  viewerQuery,
} from "../services/documents/account.ts";
import { formatAgo, humanize } from "../services/format.ts";
import type { ResultOf, VariablesOf } from "../services/graphql.ts";

type Role = VariablesOf<typeof createApiKeyMutation>["input"]["role"];

const roles: readonly { value: Role; label: string }[] = [
  { value: "VIEWER", label: "Viewer: reads" },
  { value: "EDITOR", label: "Editor: uploads and trains" },
  { value: "ADMIN", label: "Admin: also makes keys" },
];

type ApiKey = ResultOf<typeof apiKeysQuery>["apiKeys"][number];
type Issued = ResultOf<typeof createApiKeyMutation>["createApiKey"];

/** Keys for scripts, and what the service itself shows to sources of files. */
export function ApiKeysPage() {
  const [state, refetch] = useQuery({ query: apiKeysQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const [issued, setIssued] = useState<Issued | null>(null);
  const [{ data: viewer }] = useQuery({ query: viewerQuery });
  const role = viewer?.me.role;
  const onCreated = (created: Issued) => {
    setIssued(created);
    refresh();
  };
  const onRevoked = (id: string) => {
    setIssued((shown) => (shown?.key.id === id ? null : shown));
    refresh();
  };
  return (
    <>
      <PageHeader
        title="API keys"
        help="For curl and scripts: send one as “Authorization: Bearer …”. Only a hash of a key is kept."
      />
      <Stack gap="lg">
        <NewKeyPanel issued={issued} onCreated={onCreated} />
        <QueryView state={state} onRetry={refresh}>
          {({ apiKeys }) => (
            <Paper withBorder bg="var(--hop-surface)">
              {apiKeys.length === 0 ? <NoKeys /> : <KeyTable keys={apiKeys} onRevoked={onRevoked} />}
            </Paper>
          )}
        </QueryView>
        {(role === "ADMIN" || role === "EDITOR") && <SourceCredentials mayChange={role === "ADMIN"} />}
      </Stack>
    </>
  );
}

function NoKeys() {
  return <EmptyState title="No API keys yet">You need none for this dashboard; scripts need one each.</EmptyState>;
}

interface NewKeyPanelProps {
  readonly issued: Issued | null;
  readonly onCreated: (issued: Issued) => void;
}

function NewKeyPanel({ issued, onCreated }: NewKeyPanelProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("EDITOR");
  const [{ fetching, error }, create] = useMutation(createApiKeyMutation);
  const submit = async () => {
    const { data } = await create({ input: { name: name.trim(), role } });
    if (!data) return;
    setName("");
    onCreated(data.createApiKey);
  };
  return (
    <Panel title="New key">
      <SecretForm
        create="Create key"
        isReady={name.trim() !== ""}
        isBusy={fetching}
        error={error}
        onCreate={submit}
        issued={issued && { what: `Key “${issued.key.name}”`, shown: <NewKey secret={issued.secret} /> }}
      >
        <TextInput
          label="Name"
          placeholder="nightly training"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          w={260}
        />
        <Select
          label="Role"
          data={roles.map((one) => ({ ...one }))}
          value={role}
          onChange={(value) => value && setRole(value)}
          allowDeselect={false}
          w={260}
        />
      </SecretForm>
    </Panel>
  );
}

function NewKey({ secret }: { readonly secret: string }) {
  return (
    <>
      <Group gap="sm">
        <Code fz="sm">{secret}</Code>
        <CopyButton label="Copy the key" value={secret} />
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        Keep it in a secret store; whoever has it acts in your name.
      </Text>
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoked: (id: string) => void;
}

function KeyTable({ keys, onRevoked }: KeyTableProps) {
  const now = useNow(true, 30_000);
  const [{ fetching, error }, revoke] = useMutation(revokeApiKeyMutation);
  const onRevoke = async ({ id }: ApiKey) => {
    const { data } = await revoke({ id });
    if (data) onRevoked(id);
    return Boolean(data);
  };
  return (
    <RevocableTable
      label="API keys"
      columns={columnsAt(now)}
      rows={keys}
      rowKey={({ id }) => id}
      minWidth={560}
      spacing="list"
      nameOf={({ name }) => name}
      consequence="Scripts that send this key are refused within a second. It cannot be given back; make a new one instead."
      onRevoke={onRevoke}
      isBusy={fetching}
      error={error}
    />
  );
}

function columnsAt(now: number): readonly Column<ApiKey>[] {
  return [
    { head: "Name", cell: ({ name }) => name },
    { head: "Begins with", cell: ({ prefix }) => <Code>{prefix}…</Code> },
    { head: "Role", cell: ({ role }) => humanize(role.toLowerCase()) },
    { head: "Created", align: "right", cell: ({ createdAt }) => formatAgo(createdAt, now) },
    {
      head: "Last used",
      align: "right",
      cell: ({ lastUsedAt }) => (lastUsedAt ? formatAgo(lastUsedAt, now) : "never"),
    },
  ];
}
