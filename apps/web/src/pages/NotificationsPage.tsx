import { Button, Stack } from "@mantine/core";
import { useMutation, useQuery } from "urql";
import { BrowserNotices } from "../components/BrowserNotices/BrowserNotices.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { NoticeList } from "../components/NoticeList/NoticeList.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { WebhooksPanel } from "../components/Webhooks/WebhooksPanel.tsx";
import { useNotices } from "../hooks/use-notices.ts";
import { viewerQuery } from "../services/documents/account.ts";
import { readNoticesMutation } from "../services/documents/notices.ts";
import { newestOf } from "../services/notice-watch.ts";

/** What has happened to jobs, and who else is told of it. */
export function NotificationsPage() {
  const { state, refresh } = useNotices();
  const [{ data: viewer }] = useQuery({ query: viewerQuery });
  return (
    <>
      <PageHeader
        title="Notifications"
        help="Jobs that are done, have failed, stand still, or are better than every earlier one on their dataset."
      />
      <Stack gap="lg">
        <QueryView state={state} onRetry={refresh} shape="lines">
          {({ notices: { items, unread } }) => (
            <Panel
              title="Notices"
              aside={unread > 0 && <MarkAsRead unread={unread} newest={newestOf(items)} onRead={refresh} />}
            >
              {items.length === 0 ? <NoNotices /> : <NoticeList items={items} />}
            </Panel>
          )}
        </QueryView>
        <BrowserNotices />
        {viewer?.me.role === "ADMIN" && <WebhooksPanel />}
      </Stack>
    </>
  );
}

interface MarkAsReadProps {
  readonly unread: number;
  readonly newest: number;
  readonly onRead: () => void;
}

function MarkAsRead({ unread, newest, onRead }: MarkAsReadProps) {
  const [{ fetching }, read] = useMutation(readNoticesMutation);
  const mark = async () => {
    const { data } = await read({ upTo: newest });
    if (data) onRead();
  };
  return (
    <Button variant="default" size="xs" loading={fetching} onClick={() => void mark()}>
      {unread === 1 ? "Mark 1 as read" : `Mark ${unread} as read`}
    </Button>
  );
}

function NoNotices() {
  return (
    <EmptyState title="Nothing has happened yet">
      When a job ends or a dataset has been read, it is said here and by the bell above.
    </EmptyState>
  );
}
