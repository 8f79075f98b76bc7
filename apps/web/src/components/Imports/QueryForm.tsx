import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { type AskedFile, isFileAddress } from "../../services/import-addresses.ts";
import type { ShownProblem } from "../../services/problem.ts";
import { DatabaseLogin, useCredentialNames } from "../DatabaseLogin/DatabaseLogin.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { ProposeFromTables } from "./ProposeFromTables.tsx";

interface QueryFormProps {
  readonly isBusy: boolean;
  readonly problem: ShownProblem | null;
  readonly onFetch: (files: readonly AskedFile[]) => void;
}

/** A query on a database, whose rows become a file, or the queries that its tables and foreign keys propose. */
export function QueryForm({ isBusy, problem, onFetch }: QueryFormProps) {
  const [url, setUrl] = useState("");
  const [name, setName] = useState("");
  const [query, setQuery] = useState("");
  const [credential, setCredential] = useState<string | null>(null);
  const names = useCredentialNames("DATABASE");
  const isFile = isFileAddress(url);
  const isKnown = url.trim() !== "" && (credential !== null || isFile);
  const submit = () => {
    const known = { ...(credential !== null && { credential }), ...(name.trim() !== "" && { name: name.trim() }) };
    onFetch([{ url: url.trim(), query, ...known }]);
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start">
        <DatabaseLogin {...{ url, names, credential }} onUrl={setUrl} onCredential={setCredential} />
        <TextInput
          label="Name of the file"
          placeholder={isFile ? "query" : "query.jsonl"}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          style={{ flex: "1 1 160px" }}
        />
      </Group>
      <QueryText value={query} onChange={setQuery} />
      {problem && <ProblemAlert problem={problem} />}
      <Group gap="sm">
        <Button variant="default" loading={isBusy} disabled={!isKnown || query.trim() === ""} onClick={submit}>
          {isFile ? "Fetch the file and ask it" : "Ask the database"}
        </Button>
        {names.length === 0 && !isFile && <CredentialHint />}
      </Group>
      {isFile ? (
        <Text size="sm" c="dimmed">
          An SQLite or DuckDB file: the query is in DuckDB's SQL, and is kept beside the file.
        </Text>
      ) : (
        <ProposeFromTables url={url.trim()} credential={credential} isBusy={isBusy} onFetch={onFetch} />
      )}
    </Stack>
  );
}

function CredentialHint() {
  return (
    <Text size="sm" c="dimmed">
      An admin stores its user and password under API keys, as a credential of the kind database.
    </Text>
  );
}

function QueryText({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <Textarea
      label="Query"
      description="One statement that reads. It can change nothing. An address may also be that of an SQLite or DuckDB file."
      placeholder="SELECT customer_id AS src, product_id AS dst FROM orders"
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
