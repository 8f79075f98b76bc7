import { finishedWriteBack, type WriteBack } from "@hopwise/client";
import { type Command, Option } from "commander";
import { CliError } from "../cli-error.ts";
import type { AddCommand, CliContext, Run } from "../context.ts";
import { duration } from "../output/progress.ts";
import { printable } from "../output/table.ts";
import { repeated } from "./arguments.ts";

interface WriteBackOptions extends Pick<WriteBack, "vector" | "mode"> {
  readonly what: WriteBack["output"];
  readonly to: string;
  readonly credential: string;
  readonly table: string;
  readonly nodeType?: string;
  readonly column?: readonly string[];
}

export const addWriteBack: AddCommand = (program, run) => {
  program
    .command("write-back")
    .argument("<job>", "id of a job whose results are written")
    .requiredOption("--to <database>", "its address: postgresql://db.example.com/shop")
    .requiredOption("--credential <name>", "credential of the kind databaseWrite that is signed in with")
    .requiredOption("--table <name>", "where the rows go: a table, or schema.table")
    .addOption(
      new Option("--what <kind>", "what of the job")
        .choices(["embeddings", "predictions", "pairs"])
        .default("embeddings"),
    )
    .option("--node-type <type>", "nodes of this type alone; left out: all")
    .option("--column <name=other>", "another name of a column: embedding=vec; may be repeated", repeated)
    .addOption(
      new Option(
        "--vector <type>",
        "what vectors become: pgvector's type, real[], a column for each number; auto: what there is",
      )
        .choices(["auto", "vector", "array", "columns"])
        .default("auto"),
    )
    .addOption(
      new Option("--mode <mode>", "of a table that is there: refused, its rows replaced, or merged by their key")
        .choices(["create", "replace", "upsert"])
        .default("create"),
    )
    .description("has the service write results into a table of PostgreSQL, all rows or none; follows it to its end")
    .action(run(writeBack));
  addWriteBacks(program, run);
};

function addWriteBacks(program: Command, run: Run): void {
  const writeBacks = program
    .command("write-backs")
    .argument("<job>", "id of a job")
    .description("lists where a job's results have been written; with cancel and an id ends one")
    .action(
      run(async ({ client: open, output }, id: string) => {
        const { items } = await (await open()).call("GET /v1/jobs/:id/write-backs", { params: { id } });
        output.table(items, items, {
          ID: (one) => one.id,
          STATE: ({ state }) => state,
          TABLE: ({ schema, table }) => printable(`${schema}.${table}`),
          OUTPUT: (one) => one.output,
          MODE: ({ mode }) => mode,
          ROWS: ({ rowsDone, rowsTotal }) => `${rowsDone} of ${rowsTotal ?? "?"}`,
          ASKED: ({ createdAt }) => createdAt,
        });
      }),
    );
  writeBacks
    .command("cancel")
    .argument("<write-back>", "id of a write-back")
    .description("ends a write-back; the database is as it was before")
    .action(
      run(async ({ client: open, output }, id: string) => {
        const ended = await (await open()).call("POST /v1/write-backs/:id/cancel", { params: { id } });
        output.result(ended, `${ended.id} ${ended.state}`);
      }),
    );
}

async function writeBack(context: CliContext, job: string, options: WriteBackOptions): Promise<void> {
  const client = await context.client();
  const { to: url, credential, what: output, vector, mode, nodeType } = options;
  const columns = columnsOf(options.column ?? []);
  const names = { ...tableOf(options.table), columns, ...(nodeType !== undefined && { nodeType }) };
  const body = { url, credential, output, vector, mode, ...names };
  const { id } = await client.call("POST /v1/jobs/:id/write-backs", { params: { id: job }, body });
  const done = await followWriteBack(context, id);
  context.output.result(done, `${done.rowsDone} rows in ${printable(`${done.schema}.${done.table}`)}`);
}

/** `schema.table`, or a table of the schema that is taken if none is said. */
export function tableOf(text: string): { readonly schema?: string; readonly table: string } {
  const dot = text.indexOf(".");
  return dot < 0 ? { table: text } : { schema: text.slice(0, dot), table: text.slice(dot + 1) };
}

function columnsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals <= 0) throw new CliError("usage", `--column: found "${pair}", expected one like embedding=vec.`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/**
 * Follows a write-back to its end. An interrupt ends the program, not the write-back.
 *
 * @throws CliError when it fails or is cancelled
 */
async function followWriteBack({ client: open, output, streams }: CliContext, id: string): Promise<WriteBack> {
  let told = "";
  const onLook = (now: WriteBack) => {
    if (now.waitReason !== null && now.waitReason !== told) {
      told = now.waitReason;
      output.endStatus();
      output.note(printable(told));
    }
    output.status(lineOf(now));
  };
  const { signal } = streams;
  const ended = await finishedWriteBack(await open(), id, { onLook, signal }).finally(() => output.endStatus());
  if (ended.state === "SUCCEEDED") return ended;
  const reason = ended.problem ? `: ${ended.problem.code}: ${ended.problem.detail}` : "";
  throw new CliError("jobFailed", `The write-back ${id} is ${ended.state}${reason}`);
}

/** How far a write-back is: rows, share, time left. */
function lineOf({ rowsDone, rowsTotal, etaSeconds }: WriteBack): string {
  const amount = rowsTotal === null ? "" : `${rowsDone} of ${rowsTotal} rows`;
  const share = rowsTotal ? `${Math.floor((100 * rowsDone) / rowsTotal)} %` : "";
  const left = etaSeconds === null ? "" : `${duration(etaSeconds)} left`;
  return ["write-back:", amount, share, left].filter(Boolean).join("  ");
}
