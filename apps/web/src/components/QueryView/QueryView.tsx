import type { ReactNode } from "react";
import type { UseQueryState } from "urql";
import { problemFromGraphql } from "../../services/problem.ts";
import { LoadingRows } from "../LoadingRows/LoadingRows.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface QueryViewProps<Data, Variables extends object> {
  readonly state: UseQueryState<Data, Variables & Record<string, unknown>>;
  readonly onRetry: () => void;
  readonly children: (data: Data) => ReactNode;
}

/** Draws a query's loading and error states; what is already known stays on the page while an error shows. */
export function QueryView<Data, Variables extends object>({
  state,
  onRetry,
  children,
}: QueryViewProps<Data, Variables>) {
  return (
    <>
      {state.error && <ProblemAlert problem={problemFromGraphql(state.error)} onRetry={onRetry} />}
      {!state.data && !state.error && <LoadingRows />}
      {state.data && children(state.data)}
    </>
  );
}
