import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { newestOf, newSince, pathOfNotice, showsInBrowser, tellBrowser } from "../services/notice-watch.ts";
import { useLiveRefresh } from "./use-live-refresh.ts";
import { useNotices } from "./use-notices.ts";

const topics = ["NOTICES"] as const;

/**
 * Looks for new notices when there are some, on a page that is seen, or in the background when the browser is to show
 * them, and says what has come: in the page, unless it shows that job or sweep already, or by the browser.
 *
 * @returns how many are unread
 */
export function useNoticeWatch(): number {
  const { state, refresh } = useNotices();
  const lastSeen = useRef<number | null>(null);
  useLiveRefresh({
    refresh,
    isFetching: state.fetching || state.stale,
    topics,
    everyMs: 2000,
    worksUnseen: showsInBrowser,
  });
  const notices = state.data?.notices;
  useEffect(() => {
    if (!notices) return;
    for (const notice of newSince(lastSeen.current, notices.items)) tell(notice);
    lastSeen.current = Math.max(lastSeen.current ?? 0, newestOf(notices.items));
  }, [notices]);
  return notices?.unread ?? 0;
}

function tell(notice: Parameters<typeof tellBrowser>[0]): void {
  const { number, message } = notice;
  if (document.visibilityState !== "visible") {
    if (showsInBrowser()) tellBrowser(notice);
  } else if (!location.pathname.startsWith(pathOfNotice(notice))) {
    notifications.show({ id: `notice-${number}`, message, autoClose: 8000 });
  }
}
