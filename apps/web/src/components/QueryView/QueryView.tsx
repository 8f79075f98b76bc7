import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { problemFromGraphql } from "../../services/problem.ts";
import { LoadingShape, type Shape } from "../LoadingShape/LoadingShape.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface QueryViewProps<Data> {
  readonly state: { readonly data?: Data | undefined; readonly error?: CombinedError | undefined };
  readonly onRetry: () => void;
  /** What is about to be there; left out: rows of a table */
  readonly shape?: Shape;
  readonly children: (data: Data) => ReactNode;
}

/** Draws a query's loading and error states; what is already known stays on the page while an error shows. */
export function QueryView<Data>({ state, onRetry, shape = "table", children }: QueryViewProps<Data>) {
  return (
    <>
      {state.error && <ProblemAlert problem={problemFromGraphql(state.error)} onRetry={onRetry} />}
      {!state.data && !state.error && <LoadingShape shape={shape} />}
      {state.data && children(state.data)}
    </>
  );
}
