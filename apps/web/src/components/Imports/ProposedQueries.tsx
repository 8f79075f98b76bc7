import { limits } from "@hopwise/contracts/limits";
import { Button, Checkbox, Group, List, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { proposeImportMutation } from "../../services/documents/imports.ts";
import type { ResultOf } from "../../services/graphql.ts";
import type { AskedFile } from "../../services/import-addresses.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";

type Proposal = ResultOf<typeof proposeImportMutation>["proposeImport"];
type ProposedFile = Proposal["files"][number];

interface ProposedQueriesProps {
  readonly proposal: Proposal;
  readonly isBusy: boolean;
  readonly onImport: (files: readonly AskedFile[]) => void;
}

/** The files that a database's tables and foreign keys would become: each can be left out, its query changed. */
export function ProposedQueries({ proposal: { url, files, leftOut }, isBusy, onImport }: ProposedQueriesProps) {
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set());
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const queryOf = ({ name, query }: ProposedFile) => changed[name] ?? query;
  const chosen = files.filter(({ name }) => !dropped.has(name));
  const toggle = (name: string) => {
    const others = new Set(dropped);
    if (!others.delete(name)) others.add(name);
    setDropped(others);
  };
  const change = (name: string, query: string) => setChanged({ ...changed, [name]: query });
  const isTooMany = chosen.length > limits.filesPerDataset;
  const isReady = chosen.length > 0 && !isTooMany && chosen.every((file) => queryOf(file).trim() !== "");
  const columns = [choiceColumn(dropped, toggle), contentColumn, queryColumn(queryOf, change)];
  return (
    <Stack gap="sm">
      <DataTable label="Proposed files" columns={columns} rows={files} rowKey={({ name }) => name} minWidth={720} />
      {leftOut.length > 0 && (
        <List size="sm" c="dimmed">
          {leftOut.map(({ name, reason }) => (
            <List.Item key={name}>
              {name} is left out. {reason}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="sm">
        <Button
          variant="default"
          loading={isBusy}
          disabled={!isReady}
          onClick={() => onImport(chosen.map((file) => ({ url, name: file.name, query: queryOf(file) })))}
        >
          {chosen.length === 1 ? "Import 1 file" : `Import ${chosen.length} files`}
        </Button>
        {isTooMany && (
          <Text size="sm" c="dimmed">
            A dataset takes {limits.filesPerDataset} files; leave some out.
          </Text>
        )}
      </Group>
    </Stack>
  );
}

function choiceColumn(dropped: ReadonlySet<string>, toggle: (name: string) => void): Column<ProposedFile> {
  return {
    head: "File",
    cell: ({ name }) => <Checkbox size="xs" label={name} checked={!dropped.has(name)} onChange={() => toggle(name)} />,
  };
}

const contentColumn: Column<ProposedFile> = {
  head: "What it has",
  cell: ({ kind, joins, notes }) => (
    <Stack gap={0}>
      <Text size="sm">{kind === "NODES" ? "nodes" : `edges, ${joins.join(" to ")}`}</Text>
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </Stack>
  ),
};

function queryColumn(
  queryOf: (file: ProposedFile) => string,
  change: (name: string, query: string) => void,
): Column<ProposedFile> {
  return {
    head: "Query",
    width: 320,
    cell: (file) => (
      <Textarea
        aria-label={`Query of ${file.name}`}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8rem" } }}
        value={queryOf(file)}
        onChange={(event) => change(file.name, event.currentTarget.value)}
      />
    ),
  };
}
