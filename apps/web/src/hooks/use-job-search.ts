import { useDebouncedCallback } from "@mantine/hooks";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { type JobSearch, readJobSearch } from "../services/job-search.ts";

export interface JobSearchState {
  /** As it stands in the address */
  readonly shown: JobSearch;
  /** What is in the field; it goes into the address when the typing rests. */
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly onChoose: (choice: {
    readonly kinds?: string;
    readonly state?: string | null;
    readonly starred?: boolean;
    readonly worker?: string;
    readonly sort?: string;
  }) => void;
  /** Takes another search in place of all that is shown. */
  readonly onOpen: (search: JobSearch) => void;
}

/**
 * Which jobs are looked for, kept in the address: there it outlives a look at one of them and the way back, and can
 * be handed on as a link.
 */
export function useJobSearch(): JobSearchState {
  const shown = useSearch({ from: "/shell/jobs" });
  const navigate = useNavigate({ from: "/jobs" });
  const { history } = useRouter();
  // What the address does not have yet.
  const [draft, setDraft] = useState<string | null>(null);
  if (draft !== null && draft === (shown.search ?? "")) setDraft(null);
  const change = useCallback(
    (part: Record<string, unknown>) =>
      void navigate({ search: (before) => readJobSearch({ ...before, ...part }), replace: true }),
    [navigate],
  );
  const changeLater = useDebouncedCallback((search: string) => {
    // While the next page is loaded this one still stands: what was typed last must not lead back to it.
    if (history.location.pathname === "/jobs") change({ search });
  }, 250);
  const onType = useCallback(
    (text: string) => {
      setDraft(text);
      changeLater(text);
    },
    [changeLater],
  );
  const onOpen = useCallback((search: JobSearch) => void navigate({ search }), [navigate]);
  return { shown, typed: draft ?? shown.search ?? "", onType, onChoose: change, onOpen };
}
