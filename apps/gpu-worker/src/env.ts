import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { limits, workerId, workerOfUser } from "@hopwise/contracts";
import { usableCores, usableMemory } from "@hopwise/gnn-core/ranks";
import { defaultReadingLimits as defaults } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { rankAddress } from "./rank-address.ts";
import { readingLimitsOf } from "./reading-limits.ts";
import { redisUser } from "./redis.ts";

/** `a=1,b=2` → { a: "1", b: "2" } */
const labels = z
  .string()
  .regex(/^([^=,]+=[^=,]*(,[^=,]+=[^=,]*)*)?$/, "expected name=value pairs separated by commas")
  .transform((text) => Object.fromEntries(text.split(",").flatMap((pair) => (pair ? [splitPair(pair)] : []))));

/** `41000-41999` → { first: 41000, last: 41999 } */
const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, "expected two ports, like 41000-41999")
  .transform((text) => text.split("-").map(Number) as [number, number])
  .refine(([first, last]) => first >= 1024 && last <= 65535 && first <= last, "expected ports from 1024 to 65535")
  .transform(([first, last]) => ({ first, last }));

/** `2+1` → [2, 1]: islands of devices */
const emulatedIslands = z
  .string()
  .regex(/^[1-8](\+[1-8]){0,3}$/, "expected islands of 1 to 8 devices, like 2 or 2+2")
  .transform((text) => text.split("+").map(Number));

const amount = z.coerce.number().positive();

/** Every variable with its default; docs/SECURITY.md is held to them by a test. */
export const variables = z.object({
  HOPWISE_DATA: z.string().min(1).default(".hopwise"),
  REDIS_URL: z
    .string()
    .regex(/^(rediss?|unix):\/\/.+/, "expected redis://, rediss:// or unix:///path")
    .refine((text) => URL.canParse(text), "expected a URL; write what is special in a password as %…")
    .optional(),
  ARTIFACTS_URL: z.url().optional(),
  HOPWISE_WORKER_ID: workerId.optional(),
  HOPWISE_WORKER_HOST: z.string().trim().min(1).max(64).optional(),
  HOPWISE_WORKER_LABELS: labels.default({}),
  HOPWISE_WORKER_SLOTS: z.coerce.number().int().min(1).max(1024).optional(),
  HOPWISE_RANK_ADDRESS: z
    .string()
    .min(1)
    .transform((setting, context) => checked(() => rankAddress(setting), context))
    .optional(),
  HOPWISE_RANK_PORTS: portRange.optional(),
  HOPWISE_WORKER_CACHE_BYTES: z.coerce
    .number()
    .int()
    .positive()
    .default(20 * 1024 ** 3),
  HOPWISE_OUTBOX_EVENTS: z.coerce.number().int().min(1000).max(10_000_000).default(100_000),
  HOPWISE_OUTBOX_BYTES: z.coerce
    .number()
    .int()
    .min(1024 ** 2)
    .default(64 * 1024 ** 2),
  HOPWISE_MIN_FREE_BYTES: z.coerce.number().int().min(0).default(limits.minFreeBytes),
  HOPWISE_COMPONENTS: z
    .string()
    .default("")
    .transform((text) => text.split(":").filter(Boolean)),
  HOPWISE_BACKEND: z.enum(["native", "cuda", "cpu", "tensorflow"]).default("native"),
  HOPWISE_TENSORFLOW_DEVICE: z.enum(["gpu", "cpu"]).default("gpu"),
  HOPWISE_EMULATED_DEVICES: emulatedIslands.optional(),
  HOPWISE_BIND: z.enum(["auto", "nodes", "cores", "off"]).default("auto"),
  HOPWISE_INGEST_UNPACKED_BYTES: amount.default(defaults.unpackedBytes.most),
  HOPWISE_INGEST_EXPANSION: amount.default(defaults.expansion.most),
  HOPWISE_INGEST_ROWS: amount.default(defaults.rows.most),
  HOPWISE_INGEST_COLUMNS: amount.default(defaults.columns.most),
  HOPWISE_INGEST_SECONDS: amount.default(defaults.ingestSeconds.most),
  HOPWISE_PREVIEW_SECONDS: amount.default(defaults.previewSeconds.most),
  HOPWISE_STEP_MEMORY_BYTES: z.coerce
    .number()
    .int()
    .min(256 * 1024 ** 2)
    .optional(),
  HOPWISE_STALL_SECONDS: z.coerce.number().positive().default(10),
  HOPWISE_SERVE_SOCKET: z.string().min(1).max(107).optional(),
  HOPWISE_SERVE_BYTES: z.coerce
    .number()
    .int()
    .positive()
    .default(16 * 1024 ** 3),
  HOPWISE_SERVE_THREADS: z.coerce.number().int().min(1).max(1024).optional(),
  HOPWISE_BUILD: z.string().default("source"),
  HOPWISE_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error"]).default("info"),
});

/** With what must hold between them */
const settings = variables.superRefine((found, context) => {
  const given = found.HOPWISE_WORKER_ID;
  const own = credentialOf(found.REDIS_URL);
  if (found.HOPWISE_EMULATED_DEVICES && !["cuda", "tensorflow"].includes(found.HOPWISE_BACKEND)) {
    const message = `found devices to emulate for the backend "${found.HOPWISE_BACKEND}", which computes on no device; leave it out`;
    context.addIssue({ code: "custom", path: ["HOPWISE_EMULATED_DEVICES"], message });
  }
  if (given === undefined || own === null || given === own) return;
  const message = `found "${given}", while REDIS_URL has the user of worker "${own}"; leave it out, or make a credential for "${given}" on the dashboard's page of workers`;
  context.addIssue({ code: "custom", path: ["HOPWISE_WORKER_ID"], message });
});

export type Env = ReturnType<typeof readEnv>;
export type BackendName = Env["engine"]["backend"];

/**
 * The worker's settings, grouped by concern; the only reader of `process.env`.
 *
 * @throws Error naming every bad variable, never its value (it may be a secret)
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  // Compose passes on what nobody has set as an empty text.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment of the worker is not valid:\n${wrong.join("\n")}`);
  }
  const v = parsed.data;
  const data = resolve(v.HOPWISE_DATA);
  // A rest for what else the host or the container holds: this program, the files that steps read.
  const stepMemoryBytes = v.HOPWISE_STEP_MEMORY_BYTES ?? Math.floor(0.9 * usableMemory());
  return Object.freeze({
    redisUrl: v.REDIS_URL ?? `unix://${join(data, "redis", "redis.sock")}`,
    artifactsUrl: v.ARTIFACTS_URL ?? pathToFileURL(join(data, "artifacts")).href,
    minFreeBytes: v.HOPWISE_MIN_FREE_BYTES,
    worker: {
      dir: join(data, "worker"),
      // Its own user of Redis may use no other worker's keys.
      id: v.HOPWISE_WORKER_ID ?? credentialOf(v.REDIS_URL),
      host: v.HOPWISE_WORKER_HOST ?? hostname(),
      isHostNamed: v.HOPWISE_WORKER_HOST !== undefined,
      labels: v.HOPWISE_WORKER_LABELS,
      // Ranks mostly wait for each other, so a small host may run more of them than it has cores.
      slots: v.HOPWISE_WORKER_SLOTS ?? Math.max(4, usableCores()),
      cacheBytes: v.HOPWISE_WORKER_CACHE_BYTES,
      build: v.HOPWISE_BUILD,
    },
    // Where ranks of other hosts reach the ranks of this one; null: only stages of one host run here.
    network: v.HOPWISE_RANK_ADDRESS ? { address: v.HOPWISE_RANK_ADDRESS, ports: v.HOPWISE_RANK_PORTS ?? null } : null,
    engine: {
      backend: v.HOPWISE_BACKEND,
      // What the backend cuda computes on.
      cudaDevice: v.HOPWISE_EMULATED_DEVICES ? ("emulated" as const) : ("gpu" as const),
      // What the backend tensorflow must compute on.
      tensorflowDevice: v.HOPWISE_TENSORFLOW_DEVICE,
      components: v.HOPWISE_COMPONENTS.map((folder) => resolve(folder)),
    },
    // How many devices that do not exist the worker announces, by islands; null, as always but in tests: none.
    emulatedDevices: v.HOPWISE_EMULATED_DEVICES ?? null,
    bind: v.HOPWISE_BIND,
    limits: { stepMemoryBytes, reading: readingLimitsOf(v, stepMemoryBytes) },
    stallMs: v.HOPWISE_STALL_SECONDS * 1000,
    // Bounds of one stage's outbox, while the service does not take its events.
    outbox: {
      soft: Math.floor(v.HOPWISE_OUTBOX_EVENTS / 5),
      hard: v.HOPWISE_OUTBOX_EVENTS,
      maxBytes: v.HOPWISE_OUTBOX_BYTES,
    },
    serve: {
      dir: join(data, "serve"),
      socket: resolve(v.HOPWISE_SERVE_SOCKET ?? join(data, "serve", "serve.sock")),
      // What is kept ready, as it lies in files: the system reads what is used of it.
      bytes: v.HOPWISE_SERVE_BYTES,
      threads: v.HOPWISE_SERVE_THREADS ?? usableCores(),
    },
    log: { level: v.HOPWISE_LOG_LEVEL },
    rankEnvironment: withoutSecrets(source),
  });
}

/** The worker whose user of Redis this address has. */
function credentialOf(redisUrl: string | undefined): string | null {
  return redisUrl === undefined ? null : workerOfUser(redisUser(redisUrl));
}

/** Ranks run operators' component code: they get the environment without connection strings and keys. */
function withoutSecrets(source: NodeJS.ProcessEnv): Record<string, string> {
  const secret = /(_URL|_KEY|_SECRET|_TOKEN|PASSWORD)$/;
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      value === undefined || secret.test(name) ? [] : [[name, value]],
    ),
  );
}

/** The value, or its error as an issue of the variable. */
function checked<T>(make: () => T, context: z.RefinementCtx): T | never {
  try {
    return make();
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
    return z.NEVER;
  }
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}
