import { Alert, Button, Code, Group, Paper, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { type FormEvent, useCallback, useState } from "react";
import { useMutation, useQuery } from "urql";
import { CopyButton } from "../components/CopyButton/CopyButton.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { useNow } from "../hooks/use-now.ts";
import { apiKeysQuery, createApiKeyMutation, revokeApiKeyMutation } from "../services/documents.ts";
import { formatAgo, humanize } from "../services/format.ts";
import type { VariablesOf } from "../services/graphql.ts";
import { problemFromGraphql } from "../services/problem.ts";

type Role = VariablesOf<typeof createApiKeyMutation>["input"]["role"];

const roles: readonly { value: Role; label: string }[] = [
  { value: "VIEWER", label: "Viewer: reads" },
  { value: "EDITOR", label: "Editor: uploads and trains" },
  { value: "ADMIN", label: "Admin: also makes keys" },
];

/** Keys for scripts. */
export function ApiKeysPage() {
  const [state, refetch] = useQuery({ query: apiKeysQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const [{ fetching: isRevoking, error }, revoke] = useMutation(revokeApiKeyMutation);
  const now = useNow(true, 30_000);
  return (
    <>
      <PageHeader
        title="API keys"
        help="For curl and scripts: send one as “Authorization: Bearer …”. Only a hash of a key is kept."
      />
      <Stack gap="lg">
        <NewKeyPanel onCreated={refresh} />
        {error && <ProblemAlert problem={problemFromGraphql(error)} />}
        <QueryView state={state} onRetry={refresh}>
          {({ apiKeys }) => (
            <Paper withBorder bg="var(--hop-surface)">
              {apiKeys.length === 0 ? (
                <EmptyState title="No API keys yet">
                  You need none for this dashboard; scripts need one each.
                </EmptyState>
              ) : (
                <Table.ScrollContainer minWidth={560}>
                  <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="API keys">
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>Name</Table.Th>
                        <Table.Th>Begins with</Table.Th>
                        <Table.Th>Role</Table.Th>
                        <Table.Th ta="right">Created</Table.Th>
                        <Table.Th ta="right">Last used</Table.Th>
                        <Table.Th />
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody className="num">
                      {apiKeys.map((key) => (
                        <Table.Tr key={key.id}>
                          <Table.Td>{key.name}</Table.Td>
                          <Table.Td>
                            <Code>{key.prefix}…</Code>
                          </Table.Td>
                          <Table.Td>{humanize(key.role.toLowerCase())}</Table.Td>
                          <Table.Td ta="right">{formatAgo(key.createdAt, now)}</Table.Td>
                          <Table.Td ta="right">{key.lastUsedAt ? formatAgo(key.lastUsedAt, now) : "never"}</Table.Td>
                          <Table.Td ta="right">
                            <Button
                              size="xs"
                              variant="default"
                              color="red"
                              loading={isRevoking}
                              aria-label={`Revoke ${key.name}`}
                              onClick={() => void revoke({ id: key.id }).then(refresh)}
                            >
                              Revoke
                            </Button>
                          </Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </Table.ScrollContainer>
              )}
            </Paper>
          )}
        </QueryView>
      </Stack>
    </>
  );
}

function NewKeyPanel({ onCreated }: { readonly onCreated: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("EDITOR");
  const [{ data, fetching, error }, create] = useMutation(createApiKeyMutation);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await create({ input: { name: name.trim(), role } });
    if (!answer.data) return;
    setName("");
    onCreated();
  };
  return (
    <Panel title="New key">
      <form onSubmit={(event) => void submit(event)}>
        <Group align="flex-end">
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
          <Button type="submit" loading={fetching} disabled={name.trim() === ""}>
            Create key
          </Button>
        </Group>
      </form>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      {data && (
        <Alert
          color="hop"
          variant="light"
          title={`Key “${data.createApiKey.key.name}”: copy it now, it is not shown again`}
        >
          <Group gap="sm">
            <Code fz="sm">{data.createApiKey.secret}</Code>
            <CopyButton label="Copy the key" value={data.createApiKey.secret} />
          </Group>
          <Text size="xs" c="dimmed" mt="xs">
            Keep it in a secret store; whoever has it acts in your name.
          </Text>
        </Alert>
      )}
    </Panel>
  );
}
