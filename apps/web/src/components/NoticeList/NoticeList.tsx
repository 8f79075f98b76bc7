import { Anchor, Badge, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { noticesQuery } from "../../services/documents/notices.ts";
import { humanize } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { pathOfNotice } from "../../services/notice-watch.ts";
import { Ago } from "../Ago/Ago.tsx";
import classes from "./NoticeList.module.css";

type Notice = ResultOf<typeof noticesQuery>["notices"]["items"][number];

const colors: Readonly<Record<Notice["event"], string>> = {
  DONE: "hop",
  BEST: "hop",
  FAILED: "red",
  STALLED: "orange",
};

/** What has happened, the newest first; each leads to its job or sweep. */
export function NoticeList({ items }: { readonly items: readonly Notice[] }) {
  return (
    <ul className={classes["list"]} aria-label="Notices">
      {items.map(({ number, event, message, jobId, sweepId, at, isRead }) => (
        <li key={number} className={classes["item"]} data-unread={!isRead}>
          <div>
            <Badge color={colors[event]} variant="light" size="sm" radius="sm" tt="none">
              {humanize(event.toLowerCase())}
            </Badge>
          </div>
          <Anchor
            className={classes["message"]}
            size="sm"
            fw="inherit"
            component={Link}
            to={pathOfNotice({ jobId, sweepId })}
          >
            {!isRead && <VisuallyHidden>Unread: </VisuallyHidden>}
            {message}
          </Anchor>
          <Text size="xs" c="dimmed" component="span" fw={400}>
            <Ago at={at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
