import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { AskedFile } from "../../services/import-addresses.ts";
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
  const isKnown = url.trim() !== "" && credential !== null;
  const submit = () => {
    if (credential === null) return;
    onFetch([{ url: url.trim(), query, credential, ...(name.trim() !== "" && { name: name.trim() }) }]);
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start">
        <DatabaseLogin {...{ url, names, credential }} onUrl={setUrl} onCredential={setCredential} />
        <TextInput
          label="Name of the file"
          placeholder="query.jsonl"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          style={{ flex: "1 1 160px" }}
        />
      </Group>
      <QueryText value={query} onChange={setQuery} />
      {problem && <ProblemAlert problem={problem} />}
      <Group gap="sm">
        <Button variant="default" loading={isBusy} disabled={!isKnown || query.trim() === ""} onClick={submit}>
          Ask the database
        </Button>
        {names.length === 0 && <CredentialHint />}
      </Group>
      <ProposeFromTables url={url.trim()} credential={credential} isBusy={isBusy} onFetch={onFetch} />
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
      description="One statement that reads. It runs in a transaction that can change nothing."
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
