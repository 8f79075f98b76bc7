import { limits } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { newId } from "../database/ids.ts";
import type { Job, Notice, PrismaClient } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";
import { transactionLimits } from "../job-state/job-store.ts";
import { type Leadership, LeadershipLost } from "../leader/leadership.ts";
import type { Logger } from "../logger.ts";
import { bestBefore, type Metric, metricOfJob } from "./best-result.ts";
import { deliveryBody, isAskedFor, type ToldEvent } from "./delivery-body.ts";
import { bestMessage, doneMessage } from "./notice-text.ts";
import type { SweepEnds, ToldSweep } from "./told-sweep.ts";
import type { WebhookSender } from "./webhook-sender.ts";

export interface NoticeTellerOptions {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  readonly log: Logger;
  readonly sender: WebhookSender;
  readonly sweepEnds: SweepEnds;
  /** Where links in deliveries lead. */
  readonly publicUrl: string;
  /** Pause between two rounds in which there was nothing to do. */
  readonly everyMs?: number;
}

type Leader = Pick<Leadership, "assert">;
type Waiting = Notice & { readonly job: Job };

/** What receivers are told, and whose it is. */
type Told = ToldEvent & { readonly projectId: string };

/** Gives notices that were written with what happened their numbers, and queues and sends them to webhooks. */
export class NoticeTeller {
  readonly #options: Required<NoticeTellerOptions>;
  #running: Promise<void> | null = null;
  #dueAt = 0;

  constructor(options: NoticeTellerOptions) {
    this.#options = { everyMs: 1000, ...options };
  }

  /** Begins a round beside the caller's work, unless one is under way or the last was a moment ago. */
  startIfDue(leader: Leader): void {
    if (this.#running || performance.now() < this.#dueAt) return;
    this.#running = this.run(leader)
      .catch((err: unknown) => {
        if (!(err instanceof LeadershipLost)) this.#options.log.warn({ err }, "notices could not be told");
      })
      .finally(() => {
        this.#dueAt = performance.now() + this.#options.everyMs;
        this.#running = null;
      });
  }

  /** Ends what is being sent. */
  async stop(): Promise<void> {
    this.#options.sender.stop();
    await this.#running;
  }

  async run(leader: Leader): Promise<void> {
    await this.tell(leader);
    await this.#options.sender.sendDue();
  }

  /** @throws LeadershipLost when another process has been elected */
  async tell(leader: Leader): Promise<void> {
    const { prisma, sweepEnds } = this.#options;
    const where = { number: null };
    const waiting = await prisma.notice.findMany({ where, orderBy: { at: "asc" }, take: 50, include: { job: true } });
    for (const { job, ...notice } of waiting) {
      if (job) await this.#decide(leader, (tx) => this.#tellOne(tx, { ...notice, job }));
    }
    for (const id of await sweepEnds.due()) await this.#decide(leader, (tx) => this.#tellSweep(tx, id));
  }

  async #decide(leader: Leader, change: (tx: Tx) => Promise<void>): Promise<void> {
    await this.#options.prisma.$transaction(async (tx) => {
      await leader.assert(tx);
      await change(tx);
    }, transactionLimits);
  }

  async #tellOne(tx: Tx, { job, ...notice }: Waiting): Promise<void> {
    const isDone = notice.event === "done";
    const metric = isDone ? metricOfJob(job, this.#options.registry) : null;
    const message = isDone ? doneMessage(job, metric) : notice.message;
    const number = await nextNumber(tx);
    await tx.notice.update({ where: { id: notice.id }, data: { number, message } });
    await this.#queue(tx, { ...notice, message, job });
    if (metric) await this.#tellBest(tx, job, { metric, at: notice.at });
    await forgetOld(tx, job.projectId);
  }

  /** Tells how a sweep has ended, if it still has, and of its best job, if none outside it was better before. */
  async #tellSweep(tx: Tx, id: string): Promise<void> {
    const end = await this.#options.sweepEnds.take(tx, id);
    if (!end) return;
    const { event, message, at, sweep, best } = end;
    const { projectId } = sweep;
    const about = { projectId, jobId: null, sweepId: id, attempt: 0 };
    const number = await nextNumber(tx);
    await tx.notice.create({ data: { id: newId("notice"), ...about, event, message, at, number } });
    await this.#queue(tx, { event, message, at, projectId, job: null, sweep });
    const metric = best && metricOfJob(best, this.#options.registry);
    if (metric) await this.#tellBest(tx, { ...best, finishedAt: at }, { metric, at, sweep });
    await forgetOld(tx, projectId);
  }

  async #tellBest(tx: Tx, job: Job, { metric, at, sweep = null }: BestOptions): Promise<void> {
    const before = await bestBefore(tx, job, metric);
    if (!before) return;
    const told = { event: "best", message: bestMessage(job, metric, before), at, projectId: job.projectId };
    const about = { jobId: job.id, sweepId: sweep?.id ?? null, attempt: job.attempt };
    const notice = { id: newId("notice"), ...told, ...about, number: await nextNumber(tx) };
    const { count } = await tx.notice.createMany({ data: [notice], skipDuplicates: true });
    if (count === 1) await this.#queue(tx, { ...told, job, sweep });
  }

  async #queue(tx: Tx, { projectId, ...told }: Told): Promise<void> {
    const webhooks = await tx.webhook.findMany();
    const { event } = told;
    for (const webhook of webhooks.filter((one) => isAskedFor(one, event, projectId))) {
      const id = newId("delivery");
      const body = deliveryBody(id, told, this.#options.publicUrl);
      await tx.webhookDelivery.create({ data: { id, webhookId: webhook.id, event, body, dueAt: new Date() } });
      await dropOldDeliveries(tx, webhook.id);
    }
  }
}

interface BestOptions {
  readonly metric: Metric;
  readonly at: Date;
  /** Whose best job it is */
  readonly sweep?: ToldSweep | null;
}

/** Numbers count up in the order in which notices are told. */
async function nextNumber(tx: Tx): Promise<number> {
  return ((await tx.notice.aggregate({ _max: { number: true } }))._max.number ?? 0) + 1;
}

/** Keeps the newest deliveries of a receiver that is away for long, those that wait included. */
export async function dropOldDeliveries(tx: Tx, webhookId: string): Promise<void> {
  const old = await tx.webhookDelivery.findMany({
    where: { webhookId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: limits.webhookDeliveries,
    select: { id: true },
  });
  if (old.length > 0) await tx.webhookDelivery.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

async function forgetOld(tx: Tx, projectId: string): Promise<void> {
  const where = { projectId, number: { not: null } };
  const oldest = await tx.notice.findFirst({ where, orderBy: { number: "desc" }, skip: limits.notices });
  if (oldest?.number) await tx.notice.deleteMany({ where: { projectId, number: { lte: oldest.number } } });
}
