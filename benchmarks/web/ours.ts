/**
 * How much does a browser fetch before it shows the first page, and how long does the list of jobs take when there are
 * many?
 *
 * Figure: milliseconds of the request that the page of the jobs sends, answered whole, median. Ceiling: the rows that
 * it needs read from the same database by one plain statement, in the same run.
 *
 *   ours.ts [--jobs 10000] [--database pglite|postgresql] [--small]
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { jobSpec } from "@hopwise/contracts";
import { buildApp } from "../../apps/api/src/app.ts";
import { openSession, sessionCookieOf } from "../../apps/api/src/auth/sessions.ts";
import { readEnv } from "../../apps/api/src/env.ts";
import { readChangeMarks } from "../../apps/api/src/events/change-marks.ts";
import { startPostgres } from "../../apps/api/test/support/start-postgres.ts";
import { firstLoad } from "./first-load.ts";
import { seedJobs } from "./seed-jobs.ts";
import { slowJobPage } from "./slow-page.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "10000" },
    database: { type: "string", default: "pglite" },
    small: { type: "boolean", default: false },
  },
});
const numJobs = values.small ? 200 : Number(values.jobs);
const rounds = values.small ? 3 : 20;
/** As JobsPage.tsx asks. */
const pageSize = 50;

const root = process.cwd();
if (!existsSync(join(root, "apps/web/dist/index.html"))) {
  throw new Error("apps/web/dist is missing; run npm run build first.");
}
const dir = await mkdtemp(join(tmpdir(), "hopwise-bench-web-"));
const postgres = values.database === "postgresql" ? await startPostgres() : null;
const env = readEnv({
  HOPWISE_DATA: dir,
  HOPWISE_WEB_DIST: join(root, "apps/web/dist"),
  HOPWISE_REQUESTS_PER_MINUTE: "1000000",
  ...(postgres && { DATABASE_URL: postgres.url }),
});
const { server, services, signInLink } = await buildApp({ env });

/** The document that the page sends, as its source has it. */
async function jobsDocument(): Promise<string> {
  const source = await readFile(join(root, "apps/web/src/services/documents/jobs.ts"), "utf8");
  const [, text] = /jobsQuery = graphql\(`([^`]+)`\)/.exec(source) ?? [];
  if (text === undefined) throw new Error("The dashboard has no document jobsQuery any more.");
  return text;
}
const query = await jobsDocument();

/** What the heads of the list sort by, beside the newest first. */
const sortKeys = ["NAME", "OWNER", "DATASET", "MODEL", "RANKS", "RESULT"] as const;
type SortKey = (typeof sortKeys)[number];

async function askForJobs(url: string, key: string, after: string | null, by: SortKey | null = null) {
  const variables = {
    filter: { kinds: ["train"] },
    first: pageSize,
    after,
    ...(by && { sort: { by, descending: true } }),
  };
  const startedAt = performance.now();
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as {
    data?: { jobs: { edges: readonly { node: { id: string } }[]; pageInfo: { endCursor: string } } };
    errors?: unknown;
  };
  const ms = performance.now() - startedAt;
  if (data?.jobs.edges.length !== pageSize) throw new Error(`Not a page of jobs: ${JSON.stringify(errors)}`);
  return { ms, endCursor: data.jobs.pageInfo.endCursor, firstId: data.jobs.edges[0]?.node.id ?? "" };
}

/** The cookie of a session, as a browser has it. */
async function signIn() {
  const token = new URL(signInLink ?? "").searchParams.get("token") ?? "";
  const { name } = sessionCookieOf(env.server.publicUrl);
  return { name, value: await openSession(services.prisma, token) };
}

/** The page's rows by one statement, with nothing around it. */
async function bareMs(): Promise<number> {
  const startedAt = performance.now();
  const rows = await services.prisma.$queryRaw<readonly unknown[]>`
    SELECT j.*, (SELECT json_agg(s.* ORDER BY s.index) FROM "Stage" s WHERE s."jobId" = j.id) AS stages,
      (SELECT json_agg(a.info) FROM "Artifact" a WHERE a."jobId" = j.id AND a.kind = 'model') AS models
    FROM "Job" j WHERE j."projectId" = 'default' AND j."deletedAt" IS NULL AND j.kind = 'train'
    ORDER BY j."createdAt" DESC, j.id DESC LIMIT ${pageSize}`;
  if (rows.length !== pageSize) throw new Error(`The plain statement gave ${rows.length} rows.`);
  return performance.now() - startedAt;
}

async function lookMs(): Promise<number> {
  const startedAt = performance.now();
  await readChangeMarks(services.prisma);
  return performance.now() - startedAt;
}

async function repeated<T>(measure: () => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let round = 0; round < rounds; round++) found.push(await measure());
  return found;
}

/** CPU time of the process, client and service, for each of so many pages. */
async function cpuMs(ask: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await repeated(ask);
  const { user, system } = process.cpuUsage(before);
  return Number(((user + system) / 1000 / rounds).toPrecision(3));
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const round = (value = 0) => Number(value.toPrecision(3));
  return { median: round(sorted[Math.floor(sorted.length / 2)]), max: round(sorted.at(-1)) };
}

try {
  const spec = jobSpec.parse({ version: 1, kind: "train", dataset: "ds_bench", task: { target: "label" } });
  await seedJobs(services.prisma, numJobs, spec);
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  const key = (await readFile(join(dir, "secrets", "admin-api-key"), "utf8")).trim();

  // Whatever is made at the first request.
  const { endCursor, firstId } = await askForJobs(url, key, null);
  const first = spread((await repeated(() => askForJobs(url, key, null))).map(({ ms }) => ms));
  const second = spread((await repeated(() => askForJobs(url, key, endCursor))).map(({ ms }) => ms));
  const sorted: Record<string, ReturnType<typeof spread>> = {};
  for (const by of sortKeys) {
    sorted[by] = spread((await repeated(() => askForJobs(url, key, null, by))).map(({ ms }) => ms));
  }
  const cpu = await cpuMs(() => askForJobs(url, key, null));
  const bare = spread(await repeated(bareMs));
  const look = spread(await repeated(lookMs));
  const brotli = await firstLoad(url, "DatasetsPage", "br");
  const gzip = await firstLoad(url, "DatasetsPage", "gzip");
  const jobPage = await slowJobPage(url, await signIn(), firstId, values.small ? 1000 : 30_000);
  console.log(
    JSON.stringify({
      topic: "web",
      figure: first.median,
      unit: `ms for ${pageSize} of ${numJobs} jobs`,
      better: "lower",
      ceiling: bare.median,
      details: {
        database: values.database,
        maxMs: first.max,
        cpuMs: cpu,
        secondPageMs: second,
        sortedMs: sorted,
        lookForChangesMs: look,
        firstLoadBytes: { brotli: brotli.bytes, gzip: gzip.bytes, plain: brotli.plainBytes },
        firstLoadFiles: brotli.files,
        jobPageAt1600kbit: jobPage,
      },
    }),
  );
} finally {
  await server.close();
  await postgres?.stop();
  await rm(dir, { recursive: true, force: true });
}
