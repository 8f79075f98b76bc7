import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { limits } from "@hopwise/contracts";
import { z } from "zod";
import { isMailAddress } from "./notices/mail/mail-address.ts";

const port = z.coerce.number().int().min(0).max(65_535);
const positive = z.coerce.number().int().positive();
const url = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    message: `expected a URL starting with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`,
  });

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );

/** Every variable with its default; docs/SECURITY.md is held to them by a test. */
export const variables = z.object({
  HOPWISE_HOST: z.string().min(1).default("127.0.0.1"),
  HOPWISE_PORT: port.default(4680),
  HOPWISE_DATA: z.string().min(1).default(".hopwise"),
  HOPWISE_PUBLIC_URL: url("http:", "https:").optional(),
  HOPWISE_TRUSTED_PROXIES: list.refine((found) => found.every(isAddressRange), {
    message: 'expected addresses or ranges like "10.0.0.7,fd00::/8", separated by commas',
  }),
  HOPWISE_COMPONENTS: z.string().default(""),
  HOPWISE_WEB_DIST: z.string().min(1).optional(),
  HOPWISE_WEBHOOK_NETWORKS: list.refine((found) => found.every(isAddressRange), {
    message: 'expected addresses or ranges like "10.0.0.7,fd00::/8", separated by commas',
  }),
  HOPWISE_IMPORT_NETWORKS: list.refine((found) => found.every(isAddressRange), {
    message: 'expected addresses or ranges like "10.0.0.7,fd00::/8", separated by commas',
  }),
  HOPWISE_IMPORT_QUERY_SECONDS: positive.max(86_400).default(limits.importQuerySeconds),
  HOPWISE_SCHEDULE_MINUTES: positive.max(1440).default(limits.scheduleMinutes),
  HOPWISE_DATASETS_MIRROR: url("https:", "http:").optional(),
  HOPWISE_CREDENTIALS_KEY: z.string().min(32).optional(),
  HOPWISE_SMTP_URL: url("smtp:", "smtps:")
    .refine(hasSoundPassword, "write what is special in a user or password as %…")
    .optional(),
  HOPWISE_MAIL_FROM: z.string().refine(isMailAddress, 'expected an address like "hopwise@example.com"').optional(),
  HOPWISE_METRICS_TOKEN: z.string().min(16).optional(),
  HOPWISE_SIGN_IN_LINK: z.enum(["print", "file"]).default("print"),
  HOPWISE_UPLOAD_BYTES: positive.default(limits.uploadBytes),
  HOPWISE_BLOB_BYTES: positive.default(limits.blobBytes),
  HOPWISE_MIN_FREE_BYTES: z.coerce.number().int().min(0).default(limits.minFreeBytes),
  HOPWISE_SCRUB_HOURS: z.coerce.number().min(0).default(168),
  HOPWISE_SCRUB_BYTES_PER_SECOND: positive.default(16 * 1024 ** 2),
  HOPWISE_SWEEP_SECONDS: positive.default(60),
  HOPWISE_SWEEP_DELAY_SECONDS: z.coerce.number().int().min(0).default(600),
  HOPWISE_REQUESTS_PER_MINUTE: positive.default(limits.requestsPerMinute),
  HOPWISE_FAILURES_PER_MINUTE: positive.default(limits.failuresPerMinute),
  HOPWISE_REQUEST_SECONDS: positive.max(3600).default(limits.requestSeconds),
  HOPWISE_SOCKETS: positive.default(limits.sockets),
  HOPWISE_SOCKETS_PER_ADDRESS: positive.default(limits.socketsPerAddress),
  HOPWISE_SOCKETS_PER_KEY: positive.default(limits.socketsPerKey),
  HOPWISE_STREAMS_PER_KEY: positive.default(limits.streamsPerKey),
  HOPWISE_SERVE_SOCKET: z.string().min(1).max(107).optional(),
  HOPWISE_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  DATABASE_URL: url("postgresql:", "postgres:").optional(),
  REDIS_URL: url("redis:", "rediss:", "unix:").optional(),
  ARTIFACTS_URL: url("file:", "s3:").optional(),
});

export type Env = ReturnType<typeof readEnv>;

/**
 * The only reader of `process.env`.
 *
 * @throws Error naming every bad variable and what was expected; never a value, which may be a secret
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = variables.safeParse(given, { error: (issue) => expectedOnly(issue.code) });
  if (!parsed.success) {
    const bad = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`The environment has bad variables:\n  ${bad.join("\n  ")}`);
  }
  const found = parsed.data;
  const dataDir = resolve(found.HOPWISE_DATA);
  const host = found.HOPWISE_HOST.includes(":") ? `[${found.HOPWISE_HOST}]` : found.HOPWISE_HOST;
  const shownHost = host === "0.0.0.0" || host === "[::]" ? "127.0.0.1" : host;
  return Object.freeze({
    server: {
      host: found.HOPWISE_HOST,
      port: found.HOPWISE_PORT,
      publicUrl: found.HOPWISE_PUBLIC_URL?.replace(/\/$/, "") ?? `http://${shownHost}:${found.HOPWISE_PORT}`,
      trustedProxies: found.HOPWISE_TRUSTED_PROXIES,
      webDist: resolve(found.HOPWISE_WEB_DIST ?? fileURLToPath(new URL("../../web/dist", import.meta.url))),
      metricsToken: found.HOPWISE_METRICS_TOKEN,
      printsSignInLink: found.HOPWISE_SIGN_IN_LINK === "print",
      logLevel: found.HOPWISE_LOG_LEVEL,
    },
    data: { dir: dataDir, secretsDir: join(dataDir, "secrets"), cacheDir: fileURLToPath(cacheUrl) },
    database: { url: found.DATABASE_URL },
    redis: { url: found.REDIS_URL },
    artifacts: {
      url: found.ARTIFACTS_URL ?? pathToFileURL(join(dataDir, "artifacts")).href,
      minFreeBytes: found.HOPWISE_MIN_FREE_BYTES,
    },
    serving: { socket: resolve(found.HOPWISE_SERVE_SOCKET ?? join(dataDir, "serve", "serve.sock")) },
    webhooks: { networks: found.HOPWISE_WEBHOOK_NETWORKS },
    imports: {
      networks: found.HOPWISE_IMPORT_NETWORKS,
      credentialsKey: found.HOPWISE_CREDENTIALS_KEY,
      querySeconds: found.HOPWISE_IMPORT_QUERY_SECONDS,
      scheduleMinutes: found.HOPWISE_SCHEDULE_MINUTES,
      mirror: found.HOPWISE_DATASETS_MIRROR?.replace(/\/$/, "") ?? null,
    },
    mail: mailOf(found.HOPWISE_SMTP_URL, found.HOPWISE_MAIL_FROM),
    components: found.HOPWISE_COMPONENTS.split(":").filter((folder) => folder !== ""),
    scrub: {
      periodMs: found.HOPWISE_SCRUB_HOURS * 3_600_000,
      bytesPerSecond: found.HOPWISE_SCRUB_BYTES_PER_SECOND,
    },
    sweep: { everyMs: found.HOPWISE_SWEEP_SECONDS * 1000, delayMs: found.HOPWISE_SWEEP_DELAY_SECONDS * 1000 },
    limits: {
      uploadBytes: found.HOPWISE_UPLOAD_BYTES,
      blobBytes: found.HOPWISE_BLOB_BYTES,
      requestsPerMinute: found.HOPWISE_REQUESTS_PER_MINUTE,
      failuresPerMinute: found.HOPWISE_FAILURES_PER_MINUTE,
      requestSeconds: found.HOPWISE_REQUEST_SECONDS,
      sockets: found.HOPWISE_SOCKETS,
      socketsPerAddress: found.HOPWISE_SOCKETS_PER_ADDRESS,
      socketsPerKey: found.HOPWISE_SOCKETS_PER_KEY,
      streamsPerKey: found.HOPWISE_STREAMS_PER_KEY,
    },
  });
}

/** @throws Error when only one of the two variables is set: nothing could be sent. */
function mailOf(smtpUrl: string | undefined, from: string | undefined) {
  if (smtpUrl !== undefined && from !== undefined) return { smtpUrl, from };
  if (smtpUrl === undefined && from === undefined) return null;
  const missing = smtpUrl === undefined ? "HOPWISE_SMTP_URL" : "HOPWISE_MAIL_FROM";
  throw new Error(`The environment has bad variables:\n  ${missing}: expected beside the other, as e-mail needs both`);
}

const cacheUrl = new URL("../../../node_modules/.cache/hopwise", import.meta.url);

/** zod's own texts may repeat what was received. */
function expectedOnly(code: string | undefined): string | undefined {
  return code === "invalid_value" ? "not one of the allowed words" : undefined;
}

/** Whether the user and password of an address can be read as they are meant. */
function hasSoundPassword(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** An address, or one with the length of the prefix that it stands for. */
function isAddressRange(text: string): boolean {
  const [address = "", length, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}
