import type { CallProblem } from "@hopwise/client";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, in a sentence or two */
  readonly children: ReactNode;
  /** What refused it: an answer of GraphQL or of REST */
  readonly error: CombinedError | CallProblem | null | undefined;
  readonly isBusy: boolean;
  /** What the two buttons say */
  readonly keep: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
}

/** The question before something that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, children, error, isBusy, keep, confirm, onConfirm } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <Stack>
        <Text size="sm">{children}</Text>
        {error && <ProblemAlert problem={"graphQLErrors" in error ? problemFromGraphql(error) : error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keep}
          </Button>
          <Button color="red" loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
