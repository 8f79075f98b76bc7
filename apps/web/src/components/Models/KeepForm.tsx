import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface KeepFormProps {
  readonly intro: string;
  readonly name: string;
  readonly onName: (name: string) => void;
  /** What is asked beside the name */
  readonly children: ReactNode;
  readonly error: CombinedError | undefined;
  readonly isSending: boolean;
  readonly onSend: () => Promise<void>;
  readonly onCancel: () => void;
}

/** Asks under which name a model is kept. */
export function KeepForm({ intro, name, onName, children, error, isSending, onSend, onCancel }: KeepFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSend();
      }}
    >
      <Stack>
        <Text size="sm">{intro}</Text>
        <TextInput
          label="Name"
          description="Letters, digits, dots, dashes and underscores"
          value={name}
          onChange={(event) => onName(event.currentTarget.value)}
          data-autofocus
        />
        {children}
        {error && <ProblemAlert problem={problemFromGraphql(error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending} disabled={name.trim() === ""}>
            Keep it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
