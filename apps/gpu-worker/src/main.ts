import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactCache, keepPrivate, openGrantedStores } from "@hopwise/artifacts";
import { grantRenewMs } from "@hopwise/contracts";
import { engineVersion, loadRegistry } from "@hopwise/gnn-core/spec";
import closeWithGrace from "close-with-grace";
import { Announcer } from "./announce.ts";
import { RankBinder } from "./binding/rank-binder.ts";
import { recordBoot } from "./boot-record.ts";
import { DeviceRoster } from "./devices/device-roster.ts";
import { DeviceWatch } from "./devices/device-watch.ts";
import { tryDevice, tryDevices } from "./devices/try-devices.ts";
import { DoctorVisits } from "./doctor/doctor-visits.ts";
import { envOrExit } from "./env-or-exit.ts";
import { Outbox } from "./events/outbox.ts";
import { createLogger } from "./log.ts";
import { canLimitMemory } from "./ranks/memory-limit.ts";
import { RankPool } from "./ranks/rank-pool.ts";
import { connected, connectRedis, failFast, redisUser } from "./redis.ts";
import { RedisAccess } from "./redis-access.ts";
import { DesiredStates } from "./stages/desired-state.ts";
import { StageQueue } from "./stages/stage-queue.ts";
import { stagesDir } from "./stages/stage-services.ts";
import { inOwnFolder } from "./worker-folder.ts";
import { workerId } from "./worker-id.ts";
import { LogSender, sendLastWords } from "./worker-log/log-sender.ts";
import { LogTail } from "./worker-log/log-tail.ts";
import { Redaction } from "./worker-log/redaction.ts";

/** Exit code: EX_CONFIG of sysexits.h, so that a supervisor can tell it from a crash. */
const unusableBackend = 78;

process.umask(0o077); // also of its ranks: whatever they write is their owner's alone
const settings = envOrExit();
const env = { ...settings, worker: await inOwnFolder(settings.worker) };
const { worker, redisUrl } = env;
await keepPrivate(worker.dir);
const id = await workerId(worker.dir, worker.host, worker.id);
const bootId = randomUUID();
const tail = new LogTail(new Redaction([redisUrl, env.artifactsUrl]));
const log = createLogger(env.log.level, id, (line) => tail.write(line));

const { stepMemoryBytes: wantedBytes } = env.limits;
const stepMemoryBytes = canLimitMemory(wantedBytes, log) ? wantedBytes : null;
// While it connects: it must be over before the worker announces what it can do.
const trialOptions = { env, memoryBytes: stepMemoryBytes, log, workerId: id };
if (env.emulatedDevices) log.warn("HOPWISE_EMULATED_DEVICES: this worker's devices do not exist, for tests alone");
const trial = tryDevices(trialOptions).catch(async (error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  log.fatal({ why, backend: env.engine.backend }, "the backend cannot be used, so the worker ends");
  await sendLastWords({ redis: connectRedis(redisUrl, failFast), workerId: id, tail });
  process.exit(unusableBackend);
});

await rm(stagesDir(worker.dir), { recursive: true, force: true });
const registry = await loadRegistry(env.engine.components);
const stores = await openGrantedStores(env.artifactsUrl, {
  renewMs: grantRenewMs,
  minFreeBytes: env.minFreeBytes,
  onRenewalFailed: (err) => log.warn({ err }, "the grant for the artifact store was not renewed"),
});
const cache = await ArtifactCache.open({ dir: join(worker.dir, "cache"), maxBytes: worker.cacheBytes });

const redis = connectRedis(redisUrl, failFast);
const subscriber = connectRedis(redisUrl, { maxRetriesPerRequest: null });
/** Ends the worker as any error does that nobody handles: with what it has stored, and code 1. */
const end = (why: Error) =>
  setImmediate(() => {
    throw why;
  });
const access = new RedisAccess({ user: redisUser(redisUrl), log, onRefused: (why) => end(new Error(why)) });
for (const connection of [redis, subscriber]) {
  access.watch(connection);
  connection.on("error", (err) => log.debug({ err }, "Redis connection"));
}

const rankPool = new RankPool(log);
const rankBinder = new RankBinder(env.bind, log);
const outbox = new Outbox({
  dir: join(worker.dir, "outbox"),
  workerId: id,
  redis,
  log,
  host: worker.host,
  limits: env.outbox,
});
const desired = new DesiredStates(redis, log);
await connected(subscriber);
// What an earlier life left goes out before this one says that it is there.
outbox.start();
const doctor = new DoctorVisits({ redis, stores, network: env.network, workerId: id, log });
await Promise.all([outbox.listen(subscriber), desired.listen(subscriber), doctor.listen(subscriber)]);

const tried = await trial;
const deviceWatch = new DeviceWatch(tried, log);
const devices = new DeviceRoster({
  devices: tried,
  useOf: (device) => deviceWatch.useOf(device),
  tryAgain: (device) => tryDevice(device, trialOptions),
  log,
});
let queue: StageQueue | null = null;
const announcer = new Announcer({
  redis,
  access,
  log,
  env,
  id,
  bootId,
  version: engineVersion,
  registry,
  devices: () => devices.current,
  running: () => queue?.running ?? [],
  isDraining: () => queue?.isDraining ?? false,
  onTaken: end,
});
// Before it takes any task: from here on it is the only worker with this id.
await announcer.begin(await recordBoot(worker.dir, bootId)).catch((error: unknown) => {
  log.fatal(error);
  process.exit(1);
});

const host = { env, workerId: id, bootId, registry, devices, rankPool, rankBinder, stepMemoryBytes, log };
const services = { ...host, announce: () => announcer.now(), redis, access, outbox, desired, stores, cache };
const stages = new StageQueue({ services, redisUrl });
queue = stages;
const logSender = new LogSender({ redis, workerId: id, tail });
await logSender.start();
log.info({ slots: worker.slots, bootId }, "worker is ready");

closeWithGrace({ delay: 15_000, logger: false }, async ({ signal, err }) => {
  if (err) log.fatal({ err }, "worker ends by an error");
  log.info({ signal }, "worker stops");
  // Said before any stage is handed back, or it would come straight back here.
  stages.drain();
  await announcer.now();
  await stages.close();
  rankPool.close();
  deviceWatch.close();
  await outbox.close();
  await announcer.stop();
  await desired.close();
  await logSender.close();
  redis.disconnect();
  subscriber.disconnect();
});
