import { Button } from "@mantine/core";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { problemOfUnknown } from "../services/problem.ts";

/** Also for ids of other projects: what may not be seen does not exist. */
export function NothingHere({ what }: { readonly what: string }) {
  useEffect(() => {
    document.title = `No such ${what} · Hopwise`;
  }, [what]);
  return (
    <EmptyState
      title={`There is no such ${what}`}
      isWholePage
      action={
        <Button component={Link} to="/datasets" variant="default" mt="sm">
          To the datasets
        </Button>
      }
    >
      {what === "page"
        ? "The address leads nowhere: it may be mistyped."
        : "It may have been deleted, or it belongs to a project that you cannot see."}
    </EmptyState>
  );
}

export function NotFoundPage() {
  return <NothingHere what="page" />;
}

/** A defect of the page itself. */
export function CrashPage({ error }: ErrorComponentProps) {
  return <ProblemAlert problem={problemOfUnknown(error)} onRetry={() => location.reload()} />;
}
