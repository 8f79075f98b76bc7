import { Text } from "@mantine/core";
import { useCallback } from "react";
import { useMutation, useQuery } from "urql";
import { deleteSourceCredentialMutation, sourceCredentialsQuery } from "../../services/documents/imports.ts";
import { humanize } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { Ago } from "../Ago/Ago.tsx";
import type { Column } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { RevocableTable } from "../SecretForm/RevocableTable.tsx";
import { NewSourceCredential } from "./NewSourceCredential.tsx";

type Credential = ResultOf<typeof sourceCredentialsQuery>["sourceCredentials"][number];

/**
 * What sources of files ask for: it is stored here, named by imports, and shown to nobody. Editors see which there are,
 * since their imports name them; admins store and revoke them.
 */
export function SourceCredentials({ mayChange }: { readonly mayChange: boolean }) {
  const [state, refetch] = useQuery({ query: sourceCredentialsQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const [{ fetching, error }, remove] = useMutation(deleteSourceCredentialMutation);
  const onRevoke = async ({ id }: Credential) => {
    const { data } = await remove({ id });
    if (data) refresh();
    return Boolean(data);
  };
  return (
    <Panel
      title="Credentials for imports"
      help="What sources of files and databases ask for. Imports and write-backs name one; it is kept encrypted, sent to its hosts alone, and never shown."
    >
      {mayChange && <NewSourceCredential onCreated={refresh} />}
      <QueryView state={state} onRetry={refresh}>
        {({ sourceCredentials }) =>
          sourceCredentials.length === 0 ? (
            !mayChange && <Text size="sm">There are none yet; an admin stores them.</Text>
          ) : (
            <RevocableTable
              label="Credentials for imports"
              columns={columns}
              rows={sourceCredentials}
              rowKey={({ id }) => id}
              minWidth={480}
              spacing="figures"
              nameOf={({ name }) => `the credential ${name}`}
              consequence="Imports that name it can fetch nothing more with it. The source itself takes it until it is withdrawn there."
              onRevoke={mayChange ? onRevoke : null}
              isBusy={fetching}
              error={error}
            />
          )
        }
      </QueryView>
    </Panel>
  );
}

const columns: readonly Column<Credential>[] = [
  { head: "Name", cell: ({ name }) => name },
  { head: "Sent as", cell: ({ kind }) => humanize(kind.toLowerCase().replace("_", " ")) },
  {
    head: "Hosts",
    cell: ({ hosts }) => (
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {hosts.join(", ")}
      </Text>
    ),
  },
  { head: "Stored", align: "right", cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
