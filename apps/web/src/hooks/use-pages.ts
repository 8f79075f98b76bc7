import { useCallback, useEffect, useState } from "react";
import type { CombinedError } from "urql";

/** A page of a list as the API gives it. */
export interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Asks for the page after a cursor. */
export type LoadPage<Node> = (
  after: string | null,
) => Promise<{ readonly page?: Connection<Node> | undefined; readonly error?: CombinedError | undefined }>;

export interface Listed<Node> {
  readonly nodes: readonly Node[];
  readonly hasMore: boolean;
}

interface Loaded<Node> {
  readonly data: Listed<Node> | undefined;
  readonly error: CombinedError | undefined;
}

/** What came, and what it answers. */
interface Answer<Node> extends Loaded<Node> {
  readonly load?: LoadPage<Node>;
  readonly wanted?: { readonly numPages: number };
}

export interface Pages<Node> extends Loaded<Node> {
  readonly isLoading: boolean;
  /** Asks again for every page that is shown. */
  readonly refresh: () => void;
  readonly loadMore: () => void;
}

/**
 * A list that grows page by page. Every refresh walks the shown pages from the first by their cursors, so that no
 * row is missing or doubled when others were added meanwhile.
 *
 * @param load must stay the same between draws; another one starts the list anew
 */
export function usePages<Node>(load: LoadPage<Node>): Pages<Node> {
  // A new object asks again, for as many pages.
  const [wanted, setWanted] = useState({ numPages: 1 });
  const [loaded, setLoaded] = useState<Answer<Node>>({ data: undefined, error: undefined });

  useEffect(() => {
    let isStale = false;
    const ask = async () => {
      const next = await loadPages(load, wanted.numPages);
      if (isStale) return;
      // What is known stays on the page while an error shows.
      setLoaded((before) => ({ data: next.data ?? before.data, error: next.error, load, wanted }));
    };
    void ask();
    return () => {
      isStale = true;
    };
  }, [load, wanted]);

  const isLoading = loaded.wanted !== wanted || loaded.load !== load;
  const refresh = useCallback(() => {
    if (!isLoading) setWanted((before) => ({ ...before }));
  }, [isLoading]);
  const loadMore = useCallback(() => setWanted(({ numPages }) => ({ numPages: numPages + 1 })), []);
  return { data: loaded.data, error: loaded.error, isLoading, refresh, loadMore };
}

/** The first pages of a list, fewer when it ends before. */
export async function loadPages<Node>(load: LoadPage<Node>, numPages: number): Promise<Loaded<Node>> {
  const nodes: Node[] = [];
  let after: string | null = null;
  for (let index = 0; index < numPages; index++) {
    const { page, error } = await load(after);
    if (!page) return { data: undefined, error };
    nodes.push(...page.edges.map((edge) => edge.node));
    if (!page.pageInfo.hasNextPage) return { data: { nodes, hasMore: false }, error: undefined };
    after = page.pageInfo.endCursor;
  }
  return { data: { nodes, hasMore: true }, error: undefined };
}
