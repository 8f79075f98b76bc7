import { Alert, Button, Group } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import type { CombinedError } from "urql";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface SecretFormProps {
  /** The fields that say what it is for */
  readonly children: ReactNode;
  /** What the button says */
  readonly create: string;
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly error: CombinedError | undefined;
  readonly onCreate: () => Promise<void>;
  /** What was made last, until it is revoked; null: nothing */
  readonly issued: { readonly what: string; readonly shown: ReactNode } | null;
}

/** Makes a secret and shows it this once: afterwards not even the service knows it. */
export function SecretForm(props: SecretFormProps) {
  const { children, create, isReady, isBusy, error, onCreate, issued } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onCreate();
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end">
          {children}
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {create}
          </Button>
        </Group>
      </form>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      {issued && (
        <Alert color="hop" variant="light" title={`${issued.what}: copy it now, it is not shown again`}>
          {issued.shown}
        </Alert>
      )}
    </>
  );
}
