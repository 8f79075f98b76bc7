import { Button, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useQuery } from "urql";
import { sourceCredentialsQuery } from "../../services/documents/imports.ts";
import { type AskedFile, addressesIn } from "../../services/import-addresses.ts";
import type { ShownProblem } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface ImportFormProps {
  /** What the button says */
  readonly label: string;
  readonly isBusy: boolean;
  readonly problem: ShownProblem | null;
  readonly onFetch: (files: readonly AskedFile[]) => void;
}

/** Addresses of files, one in a line, that the service fetches by itself. */
export function ImportForm({ label, isBusy, problem, onFetch }: ImportFormProps) {
  const [text, setText] = useState("");
  const [credential, setCredential] = useState<string | null>(null);
  const [{ data }] = useQuery({ query: sourceCredentialsQuery });
  const read = addressesIn(text);
  const files = "files" in read ? read.files : [];
  const names = data?.sourceCredentials.map(({ name }) => name) ?? [];
  return (
    <Stack gap="sm">
      <Textarea
        label="Addresses of files"
        description="One in a line; a name in the dataset may stand before it."
        placeholder={"https://example.com/edges.csv\nnodes.csv https://example.com/download?id=17"}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={"objection" in read && text.includes("\n") ? read.objection : null}
      />
      {problem && <ProblemAlert problem={problem} />}
      <Group gap="sm" align="flex-end">
        {names.length > 0 && (
          <Select
            label="Credential"
            placeholder="none"
            clearable
            data={[...new Set(names)]}
            value={credential}
            onChange={setCredential}
            w={200}
          />
        )}
        <Button
          variant="default"
          loading={isBusy}
          disabled={files.length === 0}
          onClick={() => onFetch(files.map((file) => ({ ...file, ...(credential !== null && { credential }) })))}
        >
          {label}
        </Button>
        <Text size="sm" c="dimmed">
          The service fetches them; you may close this page.
        </Text>
      </Group>
    </Stack>
  );
}
