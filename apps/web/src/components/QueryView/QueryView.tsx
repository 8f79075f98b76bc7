import type { ReactNode } from "react";
import type { CombinedError } from "urql";
import { problemFromGraphql } from "../../services/problem.ts";
import { LoadingRows } from "../LoadingRows/LoadingRows.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface QueryViewProps<Data> {
  readonly state: { readonly data?: Data | undefined; readonly error?: CombinedError | undefined };
  readonly onRetry: () => void;
  readonly children: (data: Data) => ReactNode;
}

/** Draws a query's loading and error states; what is already known stays on the page while an error shows. */
export function QueryView<Data>({ state, onRetry, children }: QueryViewProps<Data>) {
  return (
    <>
      {state.error && <ProblemAlert problem={problemFromGraphql(state.error)} onRetry={onRetry} />}
      {!state.data && !state.error && <LoadingRows />}
      {state.data && children(state.data)}
    </>
  );
}
