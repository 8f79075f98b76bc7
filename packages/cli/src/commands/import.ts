import { CliError } from "../cli-error.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { repeated } from "./arguments.ts";
import { followJob } from "./follow.ts";
import { followImport } from "./follow-import.ts";
import { fetchPublished, followBuild, listPublished, publishedTitle } from "./import-published.ts";
import { planOf, proposedFiles } from "./import-tables.ts";
import { buildGraph, mappingBefore, readMapping, tellGraph } from "./ingest.ts";
import { intoDataset, type Target } from "./into-dataset.ts";
import { cronText, everyText, type ScheduleOptions, schedule, wantsSchedule, zoneText } from "./schedules.ts";

interface WantedFile {
  readonly url: string;
  readonly query?: string;
  readonly name?: string;
  readonly sha256?: string;
  readonly credential?: string;
}

interface ImportOptions extends ScheduleOptions, Target {
  readonly catalogue?: string | true;
  readonly query?: readonly string[];
  readonly tables?: string | true;
  readonly plan?: boolean;
  readonly sha256?: readonly string[];
  readonly credential?: string;
  readonly replace?: boolean;
  readonly add?: boolean;
  readonly mapping?: string;
  readonly ingest: boolean;
}

export const addImport: AddCommand = (program, run) => {
  program
    .command("import")
    .argument(
      "[addresses...]",
      "https:// or s3:// addresses of files, or one of a database with --query or --tables (a file of SQLite or DuckDB: --query); a name in the dataset may stand before: edges.csv=https://…",
    )
    .option("--catalogue [name]", "a published data set in place of addresses; without a name: lists them")
    .option("--name <name>", "of a new dataset; left out: that of the first file or of the published data set")
    .option("--dataset <dataset>", "id or name of a dataset that gets the files")
    .option("--project <project>", "of a new dataset")
    .option(
      "--query <sql>",
      "what the database is asked; may be repeated, each with a name: edges='SELECT …'",
      repeated,
    )
    .option(
      "--tables [names]",
      "tables of the database, whose foreign keys become edges; without names, which commas part: all of them",
    )
    .option("--plan", "with --tables: shows what the database would be asked, and imports nothing")
    .option("--sha256 <digest>", "what a file must have; once for each address, in their order", repeated)
    .option("--credential <name>", "credential of the project that the sources are sent")
    .option("--replace", "files of the same names take the place of those that are there")
    .option(
      "--add",
      "with --dataset: adds the rows to those of its newest graph; with --every or --cron: each run does, of a new dataset too",
    )
    .option(
      "--mapping <file>",
      "file with a DatasetSpec in JSON; left out: that of the version before, else as proposed",
    )
    .option("--every <time>", everyText)
    .option("--cron <expression>", cronText)
    .option("--time-zone <zone>", zoneText)
    .option("--no-ingest", "looks into the files only, and shows the proposed mapping")
    .description("has the service fetch files, and a graph built of them")
    .action(
      run(async (context, addresses: string[], options: ImportOptions) => {
        const { catalogue } = options;
        if ((catalogue === undefined) === (addresses.length === 0))
          throw new CliError("usage", "Give addresses of files, or --catalogue with the name of a published data set.");
        if (wantsSchedule(options) && catalogue !== undefined)
          throw new CliError("usage", "A published data set does not change; --every and --cron are for addresses.");
        if (catalogue === true) return listPublished(context);
        if (catalogue !== undefined) {
          const title = await publishedTitle(context, catalogue);
          const fetch = (id: string) => fetchPublished(context, id, catalogue);
          return followBuild(context, await intoDataset(await context.client(), options, title, fetch));
        }
        await importFrom(context, addresses, options);
      }),
    );
};

async function importFrom(context: CliContext, addresses: readonly string[], options: ImportOptions): Promise<void> {
  if (options.plan && options.tables === undefined)
    throw new CliError("usage", "--plan shows what --tables would import; give both.");
  if (options.plan) return planOf(context, tablesOf(addresses, options));
  const files =
    options.tables === undefined
      ? wantedFiles(addresses, options)
      : await proposedFiles(context, tablesOf(addresses, options));
  const adds = addsRows(options);
  const client = await context.client();
  const mapping = await readMapping(options.mapping);
  const { id, earlier, done } = await intoDataset(client, options, nameOfSource(files[0]), async (id) => {
    const earlier = options.dataset === undefined ? null : await mappingBefore(client, id);
    const body = { files: [...files], replace: options.replace ?? false, ...(adds && { adds }) };
    const started = await client.call("POST /v1/datasets/:id/imports", { params: { id }, body });
    return { id, earlier, done: await followImport(context, started.id) };
  });
  const job = done.jobId === null ? null : await followJob(context, done.jobId);
  // Rows that are read as those of a file of the same name need no look at them.
  if (job?.kind === "ingest") await tellGraph(context, id);
  else await buildGraph(context, id, { mapping: mapping ?? (adds ? null : earlier), ingest: options.ingest });
  // At the end, so that what is wrong with the times leaves a graph and not half of one.
  if (wantsSchedule(options)) await schedule(context, done.id, options);
}

/** Whether this import itself adds rows: that of a new dataset is what runs of a schedule add to. */
function addsRows(options: ImportOptions): boolean {
  if (!options.add) return false;
  if (options.replace)
    throw new CliError("usage", "Found --add and --replace; what rows are added to keeps its files: give one of them.");
  if (options.dataset !== undefined) return true;
  if (wantsSchedule(options)) return false;
  throw new CliError(
    "usage",
    "--add adds rows to a dataset that is there: name it with --dataset, or give --every or --cron for runs that add.",
  );
}

function wantedFiles(addresses: readonly string[], options: ImportOptions): readonly WantedFile[] {
  const { query = [], credential } = options;
  if (query.length === 0) return filesOf(addresses, options);
  const [url = "", second] = addresses;
  if (second !== undefined)
    throw new CliError(
      "usage",
      "With --query give one address: postgresql://… or mysql://…, or that of an SQLite or DuckDB file.",
    );
  // A database that is a file is fetched, and asked where it is read.
  const database = isDatabase(url) ? null : filesOf(addresses, options)[0]!;
  const queries = query.map((text) => {
    const [, name, sql = text] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
    const asked = { url: database?.url ?? url, query: sql };
    return { ...asked, ...(name !== undefined && { name }), ...(credential !== undefined && { credential }) };
  });
  return database === null ? queries : [database, ...queries];
}

function tablesOf(addresses: readonly string[], { tables, query, credential, project }: ImportOptions) {
  const [url = "", second] = addresses;
  if (second !== undefined || !isDatabase(url) || query !== undefined)
    throw new CliError("usage", "With --tables give one address of a database, postgresql://… or mysql://…, alone.");
  if (credential === undefined)
    throw new CliError("usage", "A database asks who comes: name a credential of its kind with --credential.");
  const names = typeof tables === "string" ? tables.split(",").filter((name) => name !== "") : [];
  return {
    url,
    credential,
    ...(names.length > 0 && { tables: names }),
    ...(project !== undefined && { project }),
  };
}

export function isDatabase(address: string): boolean {
  return /^(postgres(ql)?|mysql|mariadb):/i.test(address);
}

function filesOf(addresses: readonly string[], { sha256 = [], credential }: ImportOptions) {
  if (sha256.length > 0 && sha256.length !== addresses.length)
    throw new CliError("usage", `Found ${sha256.length} times --sha256, expected one for each of ${addresses.length}.`);
  return addresses.map((text, i) => {
    const [, name, url = ""] = /^(?:([^=/:?#]+)=)?(.*)$/.exec(text) ?? [];
    const digest = sha256[i];
    return {
      url,
      ...(name !== undefined && { name }),
      ...(digest !== undefined && { sha256: digest }),
      ...(credential !== undefined && { credential }),
    };
  });
}

function databaseIn(address: string): string | null {
  return /^\w+:\/\/[^/]+\/([^/?#]+)/.exec(address)?.[1] ?? null;
}

/** What a dataset is called whose first file this is. */
export function nameOfSource(file: { readonly url: string; readonly name?: string } | undefined): string {
  const name =
    file?.name ??
    (file && isDatabase(file.url) ? databaseIn(file.url) : null) ??
    file?.url
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ??
    "";
  return name.replace(/\..*$/, "") || "import";
}
