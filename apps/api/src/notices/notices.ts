import { type Viewer, visible } from "../auth/viewer.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

/** A notice as its readers see it. */
export interface ToldNotice {
  readonly number: number;
  readonly event: string;
  readonly message: string;
  readonly projectId: string;
  /** Null: it is about the sweep as a whole */
  readonly jobId: string | null;
  readonly sweepId: string | null;
  readonly at: Date;
  readonly isRead: boolean;
}

export interface NoticeList {
  /** The newest first */
  readonly items: readonly ToldNotice[];
  readonly unread: number;
}

/** The newest notices of jobs that the viewer may see; what is unread is counted for each user. */
export async function listNotices(
  { prisma }: Pick<Services, "prisma">,
  viewer: Viewer,
  first: number,
): Promise<NoticeList> {
  const { noticesReadTo } = await prisma.user.findUniqueOrThrow({ where: { id: viewer.userId } });
  const where: Prisma.NoticeWhereInput = {
    ...visible(viewer),
    OR: [{ jobId: null }, { job: { deletedAt: null } }],
  };
  const rows = await prisma.notice.findMany({
    where: { ...where, number: { not: null } },
    orderBy: { number: "desc" },
    take: Math.max(1, Math.min(first, 100)),
  });
  const unread = await prisma.notice.count({ where: { ...where, number: { gt: noticesReadTo } } });
  const items = rows.flatMap(({ number, event, message, projectId, jobId, sweepId, at }) =>
    number === null ? [] : [{ number, event, message, projectId, jobId, sweepId, at, isRead: number <= noticesReadTo }],
  );
  return { items, unread };
}

/** Marks what the viewer's user has read; it never becomes unread again. */
export async function readNotices(
  services: Pick<Services, "prisma">,
  viewer: Viewer,
  upTo: number,
): Promise<NoticeList> {
  const { prisma } = services;
  const newest = (await prisma.notice.aggregate({ _max: { number: true } }))._max.number ?? 0;
  // What comes later is unread, whatever was asked for.
  const noticesReadTo = Math.min(upTo, newest);
  await prisma.user.updateMany({
    where: { id: viewer.userId, noticesReadTo: { lt: noticesReadTo } },
    data: { noticesReadTo },
  });
  return listNotices(services, viewer, 30);
}
