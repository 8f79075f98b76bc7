import { setTimeout as pause } from "node:timers/promises";
import type { AnswerOf, HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { duration } from "../output/progress.ts";
import { printable } from "../output/table.ts";
import { repeated } from "./arguments.ts";
import { datasetRef } from "./find.ts";
import { followJob } from "./follow.ts";
import { buildGraph, mappingBefore, readMapping } from "./ingest.ts";

interface ImportOptions {
  readonly name?: string;
  readonly dataset?: string;
  readonly project?: string;
  readonly sha256?: readonly string[];
  readonly credential?: string;
  readonly replace?: boolean;
  readonly mapping?: string;
  readonly ingest: boolean;
}

type Import = AnswerOf<"GET /v1/imports/:id">;

const lookEveryMs = 500;

export const addImport: AddCommand = (program, run) => {
  program
    .command("import")
    .argument(
      "<addresses...>",
      "https:// addresses of files; a name in the dataset may stand before: edges.csv=https://…",
    )
    .option("--name <name>", "of a new dataset; left out: the first file's")
    .option("--dataset <dataset>", "id or name of a dataset that gets the files")
    .option("--project <project>", "of a new dataset")
    .option("--sha256 <digest>", "what a file must have; once for each address, in their order", repeated)
    .option("--credential <name>", "credential of the project that the sources are sent")
    .option("--replace", "files of the same names take the place of those that are there")
    .option(
      "--mapping <file>",
      "file with a DatasetSpec in JSON; left out: that of the version before, else as proposed",
    )
    .option("--no-ingest", "looks into the files only, and shows the proposed mapping")
    .description("has the service fetch files, and a graph built of them")
    .action(
      run(async (context, addresses: string[], options: ImportOptions) => {
        const client = await context.client();
        const files = filesOf(addresses, options);
        const mapping = await readMapping(options.mapping);
        const id = await targetOf(client, files[0]?.name ?? lastPart(files[0]?.url ?? ""), options);
        const earlier = options.dataset === undefined ? null : await mappingBefore(client, id);
        const { id: started } = await client.call("POST /v1/datasets/:id/imports", {
          params: { id },
          body: { files, replace: options.replace ?? false },
        });
        const done = await followImport(context, started);
        if (done.jobId !== null) await followJob(context, done.jobId);
        await buildGraph(context, id, { mapping: mapping ?? earlier, ingest: options.ingest });
      }),
    );
};

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

async function targetOf(client: HopwiseClient, first: string, options: ImportOptions): Promise<string> {
  if (options.dataset !== undefined) return (await datasetRef(client, options.dataset)).split("@")[0] ?? "";
  const name = options.name ?? (first.replace(/\..*$/, "") || "import");
  const body = { name, ...(options.project !== undefined && { project: options.project }) };
  return (await client.call("POST /v1/datasets", { body })).id;
}

function lastPart(url: string): string {
  return (
    url
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? ""
  );
}

/**
 * Follows an import to its end. An interrupt ends the program, not the import.
 *
 * @throws CliError when it fails or is cancelled
 */
export async function followImport({ client: open, output, streams }: CliContext, id: string): Promise<Import> {
  const client = await open();
  let told = "";
  try {
    for (;;) {
      const now = await client.call("GET /v1/imports/:id", { params: { id }, signal: streams.signal });
      if (now.state === "SUCCEEDED") return now;
      if (now.state === "FAILED" || now.state === "CANCELLED") {
        const reason = now.problem ? `: ${now.problem.code}: ${now.problem.detail}` : "";
        throw new CliError("jobFailed", `The import ${id} is ${now.state}${reason}`);
      }
      if (now.waitReason !== null && now.waitReason !== told) {
        told = now.waitReason;
        output.endStatus();
        output.note(printable(told));
      }
      output.status(importLine(now));
      await pause(lookEveryMs, undefined, { signal: streams.signal });
    }
  } finally {
    output.endStatus();
  }
}

/** How far an import is: bytes, share, time left. */
export function importLine({
  bytesDone,
  bytesTotal,
  etaSeconds,
}: Pick<Import, "bytesDone" | "bytesTotal" | "etaSeconds">) {
  const amount = bytesTotal === null ? `${bytesDone} bytes` : `${bytesDone} of ${bytesTotal} bytes`;
  const share = bytesTotal ? `${Math.floor((100 * bytesDone) / bytesTotal)} %` : "";
  const left = etaSeconds === null ? "" : `${duration(etaSeconds)} left`;
  return ["import:", amount, share, left].filter(Boolean).join("  ");
}
