import type { JobEventContent } from "@hopwise/contracts";
import type { Page } from "playwright-core";
import type { Prisma, PrismaClient } from "../../apps/api/src/generated/prisma/client.ts";
import type { Services } from "../../apps/api/src/services.ts";
import { launchBrowser } from "../../apps/web/test/support/browser.ts";
import type { PageCookie } from "./slow-page.ts";

export interface PageMemory {
  /** Bytes of the heap that are in use after a collection, by the number of events that the page has taken */
  readonly heapBytes: Readonly<Record<number, number>>;
  readonly nodes: Readonly<Record<number, number>>;
  readonly grownBytes: number;
}

const jobId = "job_live";
const owner = { jobId, projectId: "default", createdBy: "admin" };
/** Events of an epoch: how far the stage is, its loss, a rank's figures, a line of the log */
const perEpoch = 4;
const batchEpochs = 125;

/**
 * What a browser's page of a running job holds when so many events have come to it live.
 *
 * @param counts numbers of events, the smaller first; the growth is that between the two
 */
export async function jobPageMemory(
  url: string,
  cookie: PageCookie,
  { prisma, jobEvents }: Pick<Services, "prisma" | "jobEvents">,
  spec: object,
  counts: readonly [number, number],
): Promise<PageMemory> {
  const numEpochs = counts[1] / perEpoch;
  await seedRunningJob(prisma, spec, numEpochs);
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    await context.addCookies([{ ...cookie, url }]);
    const page = await context.newPage();
    await page.goto(`${url}/jobs/${jobId}`);
    await page.getByRole("navigation", { name: "Views of the job" }).waitFor({ timeout: 120_000 });
    const heapBytes: Record<number, number> = {};
    const nodes: Record<number, number> = {};
    let epoch = 0;
    for (const count of counts) {
      while (epoch < count / perEpoch) {
        await writeEpochs(prisma, epoch, Math.min(batchEpochs, count / perEpoch - epoch), numEpochs);
        epoch = Math.min(epoch + batchEpochs, count / perEpoch);
        jobEvents.wake(jobId);
        await hasTaken(page, epoch);
      }
      const used = await usedAfterCollection(page);
      heapBytes[count] = used.heapBytes;
      nodes[count] = used.nodes;
    }
    const [few = 0, many = 0] = counts.map((count) => heapBytes[count]);
    return { heapBytes, nodes, grownBytes: many - few };
  } finally {
    await browser.close();
  }
}

async function seedRunningJob(prisma: PrismaClient, spec: object, numEpochs: number): Promise<void> {
  const { jobId: _job, ...of } = owner;
  const now = new Date();
  const running = { state: "RUNNING" as const, attempt: 1, startedAt: now };
  await prisma.job.create({ data: { id: jobId, ...of, kind: "train", name: "live", spec, ...running } });
  const stage = {
    kind: "train",
    options: {},
    phase: "training",
    unit: "epochs",
    completed: 0n,
    total: BigInt(numEpochs),
  };
  await prisma.stage.create({ data: { id: "stage_live", ...owner, index: 0, ...running, ...stage } });
  const place = { workerId: "w", bootId: "b", host: "h", ranks: 1, device: "cpu", reason: "submitted" };
  await prisma.attempt.create({ data: { id: "attempt_live", ...owner, number: 1, startedAt: now, ...place } });
}

/** The events of the epochs behind this one, as a worker's reports leave them. */
async function writeEpochs(prisma: PrismaClient, epoch: number, count: number, total: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => eventsOf(epoch + i + 1, total)).flat();
  const data = rows.map(({ type, body }, i) => {
    const cursor = epoch * perEpoch + i + 1;
    return { ...owner, cursor, attempt: 1, stageIndex: 0, type, at: new Date(), body: body as Prisma.InputJsonValue };
  });
  await prisma.jobEvent.createMany({ data });
  await prisma.job.update({ where: { id: jobId }, data: { cursor: (epoch + count) * perEpoch } });
}

function eventsOf(epoch: number, total: number): JobEventContent[] {
  const member = { kind: "rank", index: 0 } as const;
  const stage = { stageIndex: 0, kind: "train", state: "RUNNING", cached: false, problem: null } as const;
  const rows = { localRows: epoch, remoteRows: 0, cachedRows: 0 };
  return [
    {
      type: "MetricsRecorded",
      body: { axis: "epoch", step: epoch, values: [{ name: "train/loss", value: 1 / epoch }] },
    },
    { type: "LogAppended", body: { level: "info", member, message: `epoch ${epoch} of ${total}`, fields: { epoch } } },
    {
      type: "RankUpdated",
      body: { member, step: epoch, device: "cpu", seedsPerSecond: 1000, breakdown: null, rssBytes: 1e9, ...rows },
    },
    {
      type: "StageProgressed",
      body: { ...stage, phase: "training", completed: epoch, total, unit: "epochs", etaSeconds: 60 },
    },
  ];
}

async function hasTaken(page: Page, epoch: number): Promise<void> {
  const shown = `epoch ${epoch.toLocaleString("en")} of `;
  await page.getByText(shown).first().waitFor({ timeout: 60_000 });
}

async function usedAfterCollection(page: Page): Promise<{ heapBytes: number; nodes: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  // What a first collection frees may hold more that a second one finds.
  for (let round = 0; round < 3; round++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return { heapBytes: usedSize, nodes };
}
