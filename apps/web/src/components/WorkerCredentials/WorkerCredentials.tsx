import { Alert, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useCallback, useState } from "react";
import { useMutation, useQuery } from "urql";
import { useNow } from "../../hooks/use-now.ts";
import {
  createWorkerCredentialMutation,
  revokeWorkerCredentialMutation,
  workerCredentialsQuery,
} from "../../services/documents/workers.ts";
import { formatAgo } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { workerCommand } from "../../services/worker-command.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import type { Column } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { RevocableTable } from "../SecretForm/RevocableTable.tsx";
import { SecretForm } from "../SecretForm/SecretForm.tsx";

type Credential = ResultOf<typeof workerCredentialsQuery>["workerCredentials"][number];
type Issued = ResultOf<typeof createWorkerCredentialMutation>["createWorkerCredential"];

/** For admins: the users of Redis that workers on other hosts come with. */
export function WorkerCredentials() {
  const [{ data, error }, refetch] = useQuery({ query: workerCredentialsQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const [issued, setIssued] = useState<Issued | null>(null);
  const credentials = data?.workerCredentials ?? [];
  const onCreated = (created: Issued) => {
    setIssued(created);
    refresh();
  };
  const onRevoked = (id: string) => {
    setIssued((shown) => (shown?.credential.workerId === id ? null : shown));
    refresh();
  };
  return (
    <Panel
      title="Add a worker"
      help="On another host, with a user of Redis of its own: it reaches its own queue and what all workers share, not what others are given to do."
    >
      {data?.workerAccess.reason && <Unreachable reason={data.workerAccess.reason} />}
      {data?.workerAccess.possible && (
        <>
          {data.workerAccess.warning && <Warning text={data.workerAccess.warning} />}
          <NewCredential known={credentials} issued={issued} onCreated={onCreated} />
        </>
      )}
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      {credentials.length > 0 && <CredentialTable credentials={credentials} onRevoked={onRevoked} />}
    </Panel>
  );
}

/** A password that opens nothing is not offered. */
function Unreachable({ reason }: { readonly reason: string }) {
  return (
    <Alert color="gray" variant="light" title="No worker on another host can join yet">
      <Text size="sm">{reason}</Text>
    </Alert>
  );
}

function Warning({ text }: { readonly text: string }) {
  return (
    <Alert color="yellow" variant="light" title="Before you let another host in">
      <Text size="sm">{text}</Text>
    </Alert>
  );
}

interface NewCredentialProps {
  readonly known: readonly Credential[];
  readonly issued: Issued | null;
  readonly onCreated: (issued: Issued) => void;
}

function NewCredential({ known, issued, onCreated }: NewCredentialProps) {
  const [id, setId] = useState("");
  const [{ fetching, error }, create] = useMutation(createWorkerCredentialMutation);
  const isKnown = known.some(({ workerId }) => workerId === id.trim());
  const submit = async () => {
    const { data } = await create({ workerId: id.trim() });
    if (!data) return;
    setId("");
    onCreated(data.createWorkerCredential);
  };
  return (
    <SecretForm
      create={isKnown ? "Renew its password" : "Create credential"}
      isReady={id.trim() !== ""}
      isBusy={fetching}
      error={error}
      onCreate={submit}
      issued={
        issued && {
          what: `Password of worker “${issued.credential.workerId}”`,
          shown: <IssuedCredential issued={issued} />,
        }
      }
    >
      <TextInput
        label="Worker id"
        placeholder="gpu-2"
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
        w={260}
      />
    </SecretForm>
  );
}

function IssuedCredential({ issued: { credential, password, warning } }: { readonly issued: Issued }) {
  const command = workerCommand({ user: credential.user, password }, window.location);
  return (
    <Stack gap="sm">
      <Code block fz="sm" aria-label="Command" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {command}
      </Code>
      <Group gap="sm">
        <CopyButton label="Copy the command" value={command} />
        <CopyButton label="Copy the password" value={password} />
      </Group>
      <Text size="xs">
        Run it on the new host, in a checkout of this release. Put in the addresses at which that host reaches Redis and
        this service, and for HOPWISE_RANK_ADDRESS the interface by which other workers reach it.
      </Text>
      {warning && (
        <Text size="sm" c="red">
          {warning}
        </Text>
      )}
    </Stack>
  );
}

interface CredentialTableProps {
  readonly credentials: readonly Credential[];
  readonly onRevoked: (workerId: string) => void;
}

function CredentialTable({ credentials, onRevoked }: CredentialTableProps) {
  const now = useNow(true, 30_000);
  const [{ fetching, error }, revoke] = useMutation(revokeWorkerCredentialMutation);
  const onRevoke = async ({ workerId }: Credential) => {
    const { data } = await revoke({ workerId });
    if (data) onRevoked(workerId);
    return Boolean(data);
  };
  return (
    <RevocableTable
      label="Credentials of workers"
      columns={columnsAt(now)}
      rows={credentials}
      rowKey={({ workerId }) => workerId}
      minWidth={480}
      spacing="figures"
      nameOf={({ workerId }) => `the credential of ${workerId}`}
      consequence="Redis puts this worker out at once; what it runs goes on elsewhere from the last checkpoint. It can come back with a new credential."
      onRevoke={onRevoke}
      isBusy={fetching}
      error={error}
    />
  );
}

function columnsAt(now: number): readonly Column<Credential>[] {
  return [
    { head: "Worker id", cell: ({ workerId }) => workerId },
    { head: "User of Redis", cell: ({ user }) => <Code>{user}</Code> },
    { head: "Created", align: "right", cell: ({ createdAt }) => formatAgo(createdAt, now) },
  ];
}
