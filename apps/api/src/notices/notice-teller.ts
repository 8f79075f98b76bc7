import { limits } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { newId } from "../database/ids.ts";
import type { Job, Notice, PrismaClient } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";
import { transactionLimits } from "../job-state/job-store.ts";
import { type Leadership, LeadershipLost } from "../leader/leadership.ts";
import type { Logger } from "../logger.ts";
import { bestBefore, metricOfJob } from "./best-result.ts";
import { deliveryBody, isAskedFor } from "./delivery-body.ts";
import { bestMessage, doneMessage } from "./notice-text.ts";
import type { WebhookSender } from "./webhook-sender.ts";

export interface NoticeTellerOptions {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  readonly log: Logger;
  readonly sender: WebhookSender;
  /** Where links in deliveries lead. */
  readonly publicUrl: string;
  /** Pause between two rounds in which there was nothing to do. */
  readonly everyMs?: number;
}

type Leader = Pick<Leadership, "assert">;
type Waiting = Notice & { readonly job: Job };

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
    const { prisma } = this.#options;
    const where = { number: null };
    const waiting = await prisma.notice.findMany({ where, orderBy: { at: "asc" }, take: 50, include: { job: true } });
    for (const notice of waiting) {
      await prisma.$transaction(async (tx) => {
        await leader.assert(tx);
        await this.#tellOne(tx, notice);
      }, transactionLimits);
    }
  }

  async #tellOne(tx: Tx, { job, ...notice }: Waiting): Promise<void> {
    const isDone = notice.event === "done";
    const metric = isDone ? metricOfJob(job, this.#options.registry) : null;
    const message = isDone ? doneMessage(job, metric) : notice.message;
    const number = ((await tx.notice.aggregate({ _max: { number: true } }))._max.number ?? 0) + 1;
    await tx.notice.update({ where: { id: notice.id }, data: { number, message } });
    await this.#queue(tx, job, { ...notice, message });
    const before = metric && (await bestBefore(tx, job, metric));
    if (metric && before)
      await this.#tellBest(tx, { job, ...notice, number: number + 1 }, bestMessage(job, metric, before));
    await forgetOld(tx, job.projectId);
  }

  async #tellBest(tx: Tx, { job, ...done }: Waiting, message: string): Promise<void> {
    const notice = { ...done, id: newId("notice"), event: "best", message };
    const { count } = await tx.notice.createMany({ data: [notice], skipDuplicates: true });
    if (count === 1) await this.#queue(tx, job, notice);
  }

  async #queue(tx: Tx, job: Job, { event, message, at }: Notice): Promise<void> {
    const webhooks = await tx.webhook.findMany();
    for (const webhook of webhooks.filter((one) => isAskedFor(one, event, job.projectId))) {
      const id = newId("delivery");
      const body = deliveryBody(id, { event, message, at, job }, this.#options.publicUrl);
      await tx.webhookDelivery.create({ data: { id, webhookId: webhook.id, event, body, dueAt: new Date() } });
      await dropOldDeliveries(tx, webhook.id);
    }
  }
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
