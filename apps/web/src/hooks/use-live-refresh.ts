import { useEffect, useRef } from "react";
import { useClient } from "urql";
import { type ChangeTopic, changesOf } from "../services/change-follower.ts";
import { PacedRefresh } from "../services/paced-refresh.ts";

export interface LiveRefresh {
  readonly refresh: () => void;
  /** An answer is on its way. */
  readonly isFetching: boolean;
  /** The lists of which a change matters; the same array between draws. */
  readonly topics: readonly ChangeTopic[];
  /** Between two times at least; and how often without a connection that tells of changes. */
  readonly everyMs: number;
  readonly isActive?: boolean;
  /** Whether a page that nobody sees asks, too. */
  readonly worksUnseen?: () => boolean;
}

/** Asks for a list again whenever it has changed, and only then: see ChangeFollower. A job page has events instead. */
export function useLiveRefresh(wanted: LiveRefresh): void {
  const { topics, everyMs, isFetching, isActive = true } = wanted;
  const client = useClient();
  const latest = useRef(wanted);
  const paced = useRef<PacedRefresh | null>(null);
  useEffect(() => {
    latest.current = wanted;
  });
  useEffect(() => {
    if (!isActive) return undefined;
    const pace = new PacedRefresh({ refresh: () => latest.current.refresh(), everyMs });
    paced.current = pace;
    const look = () => pace.setSeen(document.visibilityState === "visible" || latest.current.worksUnseen?.() === true);
    look();
    pace.setBusy(latest.current.isFetching);
    const leave = changesOf(client).listen({
      topics,
      onChange: () => {
        look(); // what a page does unseen may have been set since
        pace.tell();
      },
      onLive: (isLive) => pace.setLive(isLive),
    });
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      leave();
      pace.stop();
      paced.current = null;
    };
  }, [client, topics, everyMs, isActive]);
  useEffect(() => paced.current?.setBusy(isFetching), [isFetching]);
}
