import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useNoticeWatch } from "../../hooks/use-notice-watch.ts";
import classes from "./NoticeBell.module.css";

/** How many notices are unread, and the way to them. */
export function NoticeBell() {
  const unread = useNoticeWatch();
  return (
    <ActionIcon
      component={Link}
      to="/notifications"
      variant="default"
      size="lg"
      pos="relative"
      style={{ overflow: "visible" }}
      aria-label={unread === 0 ? "Notifications" : `Notifications, ${unread} unread`}
    >
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor">
        <path
          d="M8 1.500a4.500 4.500 0 0 0-4.500 4.500v3L2 12h12l-1.500-3V6A4.500 4.500 0 0 0 8 1.500Z"
          strokeWidth="1.500"
          strokeLinejoin="round"
        />
        <path d="M6.500 14a1.500 1.500 0 0 0 3 0" strokeWidth="1.500" strokeLinecap="round" />
      </svg>
      {unread > 0 && (
        <span className={`${classes["count"]} num`} aria-hidden="true">
          {unread > 99 ? "99+" : unread}
        </span>
      )}
    </ActionIcon>
  );
}
