import { useEffect, useState } from "react";
import { type Client, useClient } from "urql";
import type { ComparedJob } from "../services/comparison.ts";
import { comparedJobQuery } from "../services/documents/compared-jobs.ts";
import { problemFromGraphql, type ShownProblem } from "../services/problem.ts";

/** So many are asked for at a time: a hundred at once would stand in each other's way. */
const atOnce = 6;

interface Compared {
  readonly jobs: readonly ComparedJob[];
  readonly missing: readonly string[];
  readonly problem: ShownProblem | null;
}

/** The jobs of these ids in their order, as they come. @param ids as one text, so that equal ones ask once */
export function useComparedJobs(ids: string): Compared & { readonly isLoading: boolean } {
  const client = useClient();
  const [loaded, setLoaded] = useState<{ readonly ids: string } & Compared>(nothing);
  useEffect(() => {
    let isStale = false;
    const load = async () => {
      const compared = await loadJobs(client, ids === "" ? [] : ids.split(","));
      if (!isStale) setLoaded({ ids, ...compared });
    };
    void load();
    return () => {
      isStale = true;
    };
  }, [client, ids]);
  return { ...loaded, isLoading: loaded.ids !== ids };
}

const nothing = { ids: "", jobs: [], missing: [], problem: null };

async function loadJobs(client: Client, ids: readonly string[]): Promise<Compared> {
  const found = new Map<string, ComparedJob>();
  const missing: string[] = [];
  let problem: ShownProblem | null = null;
  const waiting = [...ids];
  const ask = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const { data, error } = await client.query(comparedJobQuery, { id }).toPromise();
      if (data?.job) found.set(id, data.job);
      else if (error) problem = problemFromGraphql(error);
      else missing.push(id);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, ask));
  return { jobs: ids.flatMap((id) => found.get(id) ?? []), missing, problem };
}
