import type { AnswerOf, HopwiseClient } from "@hopwise/client";
import { Option } from "commander";
import type { AddCommand } from "../context.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/table.ts";
import { wholeNumber } from "./arguments.ts";

type Line = AnswerOf<"GET /v1/jobs/:id/logs">["lines"][number];
type Level = Line["level"];

interface LogOptions {
  readonly last?: number;
  readonly level?: Level;
  readonly search?: string;
  readonly follow?: boolean;
}

export const addLogs: AddCommand = (program, run) => {
  program
    .command("logs")
    .argument("<job>", "id of a job")
    .option("--last <number>", "the newest lines only", wholeNumber(1))
    .addOption(new Option("--level <level>", "lines of this level and of graver ones").choices(levels))
    .option("--search <text>", "lines with this text")
    .option("--follow", "goes on with the lines that come, to the end of the job")
    .description("shows a job's log; with --json a JSON object in each line")
    .action(
      run(async ({ client: open, output, streams }, id: string, options: LogOptions) => {
        const client = await open();
        const cursor = await tellStored(client, output, id, options);
        if (!options.follow) return;
        const query = cursor === null ? {} : { after: cursor };
        const events = client.events("GET /v1/jobs/:id/events", { params: { id }, query, signal: streams.signal });
        for await (const event of events) {
          if (event.type !== "LogAppended") continue;
          const { level, message, member } = event.body;
          if (options.search !== undefined && !message.includes(options.search)) continue;
          if (options.level !== undefined && rank(level) < rank(options.level)) continue;
          output.line(
            { ...event.body, at: event.at, cursor: event.cursor },
            textOf({ at: event.at, level, member, message }),
          );
        }
      }),
    );
};

/** Tells the lines that there are. @returns the cursor behind the last one; null: there is none */
async function tellStored(
  client: HopwiseClient,
  output: Output,
  id: string,
  { last, level, search }: LogOptions,
): Promise<string | null> {
  const filter = { ...(level && { level }), ...(search !== undefined && { search }) };
  if (last !== undefined) {
    const query = { ...filter, last: Math.min(last, 200) };
    const page = await client.call("GET /v1/jobs/:id/logs", { params: { id }, query });
    for (const line of page.lines) output.line(line, textOf(line));
    return page.endCursor;
  }
  for (let after: string | null = null; ; ) {
    const query: { after?: string; first: number } = { ...filter, first: 200, ...(after !== null && { after }) };
    const page: AnswerOf<"GET /v1/jobs/:id/logs"> = await client.call("GET /v1/jobs/:id/logs", {
      params: { id },
      query,
    });
    for (const line of page.lines) output.line(line, textOf(line));
    after = page.endCursor ?? after;
    if (!page.hasNextPage) return after;
  }
}

const levels: readonly Level[] = ["debug", "info", "warn", "error"];
const rank = (level: Level) => levels.indexOf(level);

function textOf({ at, level, member, message }: Pick<Line, "at" | "level" | "message"> & { member: unknown }): string {
  return printable(`${at} ${level.padEnd(5)} ${String(member)}  ${message}`);
}
