import { Alert, Button, Code, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { type FormEvent, useCallback, useState } from "react";
import { useMutation, useQuery } from "urql";
import { useNow } from "../../hooks/use-now.ts";
import {
  createWorkerCredentialMutation,
  revokeWorkerCredentialMutation,
  workerCredentialsQuery,
} from "../../services/documents.ts";
import { formatAgo } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { workerCommand } from "../../services/worker-command.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

/** For admins: the users of Redis that workers on other hosts come with. */
export function WorkerCredentials() {
  const [{ data, error }, refetch] = useQuery({ query: workerCredentialsQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const [id, setId] = useState("");
  const [created, create] = useMutation(createWorkerCredentialMutation);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await create({ workerId: id.trim() });
    if (!answer.data) return;
    setId("");
    refresh();
  };
  const credentials = data?.workerCredentials ?? [];
  const isKnown = credentials.some(({ workerId }) => workerId === id.trim());
  return (
    <Panel
      title="Add a worker"
      help="On another host, with a user of Redis of its own: it reaches its own queue and what all workers share, not what others are given to do."
    >
      <form onSubmit={(event) => void submit(event)}>
        <Group align="flex-end">
          <TextInput
            label="Worker id"
            placeholder="gpu-2"
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            w={260}
          />
          <Button type="submit" loading={created.fetching} disabled={id.trim() === ""}>
            {isKnown ? "Renew its password" : "Create credential"}
          </Button>
        </Group>
      </form>
      {created.error && <ProblemAlert problem={problemFromGraphql(created.error)} />}
      {created.data && <NewCredential issued={created.data.createWorkerCredential} />}
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      {credentials.length > 0 && <CredentialTable credentials={credentials} onRevoked={refresh} />}
    </Panel>
  );
}

function NewCredential({
  issued,
}: {
  readonly issued: ResultOf<typeof createWorkerCredentialMutation>["createWorkerCredential"];
}) {
  const { credential, password, warning } = issued;
  const command = workerCommand({ user: credential.user, password }, window.location);
  return (
    <Alert
      color="hop"
      variant="light"
      title={`Password of worker “${credential.workerId}”: copy it now, it is not shown again`}
    >
      <Stack gap="sm">
        <Code block fz="sm" aria-label="Command" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {command}
        </Code>
        <Group gap="sm">
          <CopyButton label="Copy the command" value={command} />
          <CopyButton label="Copy the password" value={password} />
        </Group>
        <Text size="xs">
          Run it on the new host, in a checkout of this release. Put in the addresses at which that host reaches Redis
          and this service, and for HOPWISE_RANK_ADDRESS the interface by which other workers reach it.
        </Text>
        {warning && (
          <Text size="sm" c="red">
            {warning}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

interface CredentialTableProps {
  readonly credentials: ResultOf<typeof workerCredentialsQuery>["workerCredentials"];
  readonly onRevoked: () => void;
}

function CredentialTable({ credentials, onRevoked }: CredentialTableProps) {
  const now = useNow(true, 30_000);
  const [asked, setAsked] = useState<string | null>(null);
  const [{ fetching, error }, revoke] = useMutation(revokeWorkerCredentialMutation);
  const confirm = async () => {
    const answer = await revoke({ workerId: asked ?? "" });
    if (!answer.data) return;
    setAsked(null);
    onRevoked();
  };
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing="sm" aria-label="Credentials of workers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Worker id</Table.Th>
            <Table.Th>User of Redis</Table.Th>
            <Table.Th ta="right">Created</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="num">
          {credentials.map(({ workerId, user, createdAt }) => (
            <Table.Tr key={workerId}>
              <Table.Td>{workerId}</Table.Td>
              <Table.Td>
                <Code>{user}</Code>
              </Table.Td>
              <Table.Td ta="right">{formatAgo(createdAt, now)}</Table.Td>
              <Table.Td ta="right">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Revoke the credential of ${workerId}`}
                  onClick={() => setAsked(workerId)}
                >
                  Revoke
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={`Revoke the credential of ${asked}?`}
        error={error}
        isBusy={fetching}
        keep="Keep it"
        confirm="Revoke it"
        onConfirm={() => void confirm()}
      >
        Redis puts this worker out at once; what it runs goes on elsewhere from the last checkpoint. It can come back
        with a new credential.
      </ConfirmDialog>
    </Table.ScrollContainer>
  );
}
