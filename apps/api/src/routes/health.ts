import { AppError, explainWriteRefusal, serviceRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import type { Redis } from "ioredis";
import { probeWrite } from "../redis/redis-condition.ts";
import { serve } from "../rest/serve.ts";
import type { Services } from "../services.ts";

interface HealthOptions {
  readonly services: Services;
  readonly redis: Redis | null;
}

/** /healthz: the process answers. /readyz: what it needs answers too, and Redis takes writes. */
export async function healthRoutes(app: FastifyInstance, { services, redis }: HealthOptions): Promise<void> {
  const uncounted = { config: { perAddress: null } };
  serve(app, routes.isAlive, async () => ({ status: "ok" as const }), uncounted);
  const ready = onceASecond(async () => {
    await answers("The database", services.prisma.$queryRaw`SELECT 1`);
    if (redis) await answers("Redis", probeWrite(redis));
  });
  const isReady = async () => {
    await ready();
    return { status: "ok" as const };
  };
  serve(app, routes.isReady, isReady, uncounted);
}

/** Anybody may ask, as often as they like: what is behind is asked once a second at most. */
function onceASecond(ask: () => Promise<void>): () => Promise<void> {
  let last: { readonly answer: Promise<void>; readonly at: number } | undefined;
  return () => {
    if (!last || performance.now() - last.at > 1000) last = { answer: ask(), at: performance.now() };
    return last.answer;
  };
}

async function answers(what: string, question: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer within 3 s")), 3000);
  });
  try {
    await Promise.race([question, late]);
  } catch (cause) {
    throw new AppError("UPSTREAM_UNAVAILABLE", explainWriteRefusal(cause) ?? `${what} does not answer.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
