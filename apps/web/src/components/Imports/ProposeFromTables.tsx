import { Button, Group, Stack } from "@mantine/core";
import { useMutation } from "urql";
import { proposeImportMutation } from "../../services/documents/imports.ts";
import type { AskedFile } from "../../services/import-addresses.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { ProposedQueries } from "./ProposedQueries.tsx";

interface ProposeFromTablesProps {
  readonly url: string;
  readonly credential: string | null;
  readonly isBusy: boolean;
  readonly onFetch: (files: readonly AskedFile[]) => void;
}

/** Has the queries written that make a graph of a database's tables and foreign keys. */
export function ProposeFromTables({ url, credential, isBusy, onFetch }: ProposeFromTablesProps) {
  const [{ fetching, error, data, operation }, propose] = useMutation(proposeImportMutation);
  const ask = () => credential !== null && void propose({ input: { url, credential } });
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button variant="default" loading={fetching} disabled={url === "" || credential === null} onClick={ask}>
          Propose from tables
        </Button>
      </Group>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      {data && credential !== null && (
        <ProposedQueries
          key={operation?.key}
          proposal={data.proposeImport}
          isBusy={isBusy}
          onImport={(files) => onFetch(files.map((file) => ({ ...file, credential })))}
        />
      )}
    </Stack>
  );
}
