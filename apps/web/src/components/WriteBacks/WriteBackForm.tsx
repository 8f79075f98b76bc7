import type { CallProblem, InputOf } from "@hopwise/client";
import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../services/api.ts";
import { problemOfUnknown } from "../../services/problem.ts";
import { columnsOfText, tableOfText } from "../../services/write-back-text.ts";
import { DatabaseLogin, useCredentialNames } from "../DatabaseLogin/DatabaseLogin.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

type Wish = InputOf<"POST /v1/jobs/:id/write-backs">["body"];

const start = { url: "", table: "", output: "embeddings", mode: "create", vector: "auto", columns: "", nodeType: "" };

const modes = [
  { value: "create", label: "Make a new table" },
  { value: "replace", label: "Replace its rows" },
  { value: "upsert", label: "Merge by key" },
];
const vectors = [
  { value: "auto", label: "As the database has it" },
  { value: "vector", label: "vector (pgvector)" },
  { value: "array", label: "real[]" },
  { value: "columns", label: "A column for each number" },
];
const outputs = [
  { value: "embeddings", label: "Embeddings" },
  { value: "predictions", label: "Predictions" },
  { value: "pairs", label: "Held-out pairs" },
];

interface WriteBackFormProps {
  readonly jobId: string;
  /** What the job has, beside embeddings */
  readonly has: { readonly predictions: boolean; readonly pairs: boolean };
  readonly onStarted: () => void;
}

/** Has a job's results written into a table of PostgreSQL. */
export function WriteBackForm({ jobId, has, onStarted }: WriteBackFormProps) {
  const { wish, set, setWish, credential, setCredential, isBusy, problem, submit } = useWish(jobId, onStarted);
  const names = useCredentialNames("DATABASE_WRITE");
  const text = (field: "table" | "columns" | "nodeType", label: string, placeholder: string, basis: number) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      spellCheck={false}
      value={wish[field]}
      onChange={set(field)}
      style={{ flex: `1 1 ${basis}px` }}
    />
  );
  const choice = (field: "output" | "mode" | "vector", label: string, options: readonly (typeof modes)[number][]) => (
    <NativeSelect label={label} data={[...options]} value={wish[field]} onChange={set(field)} />
  );
  const shownOutputs = outputs.filter(({ value }) => value === "embeddings" || has[value as keyof typeof has]);
  const isReady = wish.url.trim() !== "" && wish.table.trim() !== "" && credential !== null;
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start">
        <DatabaseLogin
          {...{ url: wish.url, names, credential }}
          onUrl={(url) => setWish({ ...wish, url })}
          onCredential={setCredential}
        />
        {text("table", "Table", "results.papers", 180)}
      </Group>
      <Group gap="sm" align="flex-start">
        {choice("output", "What", shownOutputs)}
        {choice("mode", "A table that is there", modes)}
        {wish.output === "embeddings" && choice("vector", "Vectors as", vectors)}
        {text("columns", "Other names of columns", "id=paper, embedding=vec", 200)}
        {text("nodeType", "Only nodes of the type", "all", 140)}
      </Group>
      {problem && <ProblemAlert problem={problem} />}
      <Group gap="sm">
        <Button variant="default" loading={isBusy} disabled={!isReady} onClick={() => void submit()}>
          Write into the table
        </Button>
        {names.length === 0 && <CredentialHint />}
      </Group>
    </Stack>
  );
}

function CredentialHint() {
  return (
    <Text size="sm" c="dimmed">
      An admin stores its user and password under API keys, as a user that writes into a database.
    </Text>
  );
}

/** What is in the form, and what came of sending it. */
function useWish(jobId: string, onStarted: () => void) {
  const [wish, setWish] = useState(start);
  const [credential, setCredential] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const set = (field: keyof typeof start) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setWish({ ...wish, [field]: event.currentTarget.value });
  const submit = async () => {
    if (credential === null) return;
    setIsBusy(true);
    try {
      await api.call("POST /v1/jobs/:id/write-backs", { params: { id: jobId }, body: bodyOf(wish, credential) });
      setProblem(null);
      onStarted();
    } catch (error) {
      setProblem(problemOfUnknown(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { wish, set, setWish, credential, setCredential, isBusy, problem, submit };
}

function bodyOf({ url, table, columns, nodeType, ...choices }: typeof start, credential: string): Wish {
  const names = { ...tableOfText(table.trim()), columns: columnsOfText(columns) };
  const type = nodeType.trim() === "" ? {} : { nodeType: nodeType.trim() };
  return { url: url.trim(), credential, ...names, ...type, ...choices } as Wish;
}
