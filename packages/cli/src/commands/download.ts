import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HopwiseClient } from "@hopwise/client";
import { type DownloadedFile, download } from "@hopwise/client/node";
import { Option } from "commander";
import { CliError } from "../cli-error.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { ByteProgress } from "../output/progress.ts";
import { modelVersion } from "./find.ts";
import { followJob } from "./follow.ts";

const loaders = ["jsonl", "neo4j", "pgcopy"] as const;
const formats = {
  embeddings: ["parquet", "npy", "csv", "arrow", ...loaders],
  predictions: ["parquet", "csv", "arrow", ...loaders],
} as const;
const kinds = ["embeddings", "predictions"] as const;
type Kind = (typeof kinds)[number];

interface DownloadOptions {
  readonly what: Kind | "model";
  readonly format: string;
  readonly idColumn?: string;
  readonly vectorColumn?: string;
  readonly output?: string;
}

/** A file that is asked for and fetched */
interface Wanted {
  readonly kind: Kind;
  readonly id: string;
  readonly query: { readonly format: "parquet"; readonly id?: string; readonly vector?: string };
}

export const addDownload: AddCommand = (program, run) => {
  program
    .command("download")
    .argument("<job or model>", "id of a job, or name@version of a kept model")
    .addOption(new Option("--what <kind>", "what of a job").choices([...kinds, "model"]).default("embeddings"))
    .addOption(
      new Option("--format <format>", "how embeddings or predictions are written; npy: embeddings alone")
        .choices(formats.embeddings)
        .default("parquet"),
    )
    .option("--id-column <name>", "what the column of ids of embeddings is called")
    .option("--vector-column <name>", "what the column of vectors is called, such as vector or values")
    .option("-o, --output <path>", "file, or of a model folder; left out: named after what it is")
    .description("downloads results; a format that is not made yet is asked for and waited for")
    .action(
      run(async (context, source: string, options: DownloadOptions) => {
        const client = await context.client();
        if (!/^job_\w+$/.test(source)) return downloadModel(context, client, source, options.output);
        if (options.what === "model") return downloadModelOfJob(context, client, source, options.output);
        const kind = options.what;
        const format = requireFormat(kind, options.format);
        const path = options.output ?? `${kind}.${format}`;
        const { idColumn, vectorColumn } = options;
        const names = { ...(idColumn && { id: idColumn }), ...(vectorColumn && { vector: vectorColumn }) };
        // The kinds differ in their formats alone, which have been looked at.
        const wanted: Wanted = { kind, id: source, query: { format: format as "parquet", ...names } };
        await ensureMade(context, client, wanted);
        const file = await fetchExport(context, client, wanted, path);
        context.output.result(file, `${file.path}  ${file.bytes} bytes  sha256 ${file.sha256}`);
      }),
    );
};

function requireFormat(kind: Kind, format: string): string {
  const known: readonly string[] = formats[kind];
  if (known.includes(format)) return format;
  throw new CliError("usage", `--format: found "${format}", expected ${known.join(", ")} of ${kind}.`);
}

async function ensureMade(context: CliContext, client: HopwiseClient, { kind, id, query }: Wanted): Promise<void> {
  const { ready, job } = await client.call(`POST /v1/jobs/:id/${kind}` as const, { params: { id }, query });
  if (!ready && job !== null) await followJob(context, job);
}

function fetchExport(
  { output, streams }: CliContext,
  client: HopwiseClient,
  { kind, id, query }: Wanted,
  path: string,
): Promise<DownloadedFile> {
  const soFar = new ByteProgress("download:");
  const onProgress = (received: number, total: number | null) => output.status(soFar.line(received, total));
  const input = { params: { id }, query, signal: streams.signal, onProgress };
  return download(client, `GET /v1/jobs/:id/${kind}` as const, path, input).finally(() => output.endStatus());
}

type Files = readonly { readonly name: string }[];

/** A kept model: its files, and its card as `card.json`. */
async function downloadModel(
  context: CliContext,
  client: HopwiseClient,
  source: string,
  output: string | undefined,
): Promise<void> {
  const { id, ref } = await modelVersion(client, source);
  const card = await client.call("GET /v1/model-versions/:id", { params: { id } });
  const folder = output ?? ref;
  const files = await fetchFiles(context, client, folder, card.artifactId, card.files);
  const path = join(folder, "card.json");
  await writeFile(path, `${JSON.stringify(card, null, 2)}\n`);
  context.output.result({ folder, files: [...files, { path }] }, [...files.map((file) => file.path), path].join("\n"));
}

/** The model of a job, whether or not it is kept, with its manifest as `card.json`. */
async function downloadModelOfJob(
  context: CliContext,
  client: HopwiseClient,
  id: string,
  output: string | undefined,
): Promise<void> {
  const { items } = await client.call("GET /v1/jobs/:id/artifacts", { params: { id } });
  const model = items.findLast(({ kind }) => kind === "model");
  if (!model) throw new CliError("notFound", `The job ${id} has no model; only training jobs that have succeeded do.`);
  const folder = output ?? `${id}-model`;
  const files = await fetchFiles(context, client, folder, model.id, model.blobs);
  const path = join(folder, "card.json");
  await writeFile(path, `${JSON.stringify(model, null, 2)}\n`);
  context.output.result({ folder, files: [...files, { path }] }, [...files.map((file) => file.path), path].join("\n"));
}

async function fetchFiles(
  { streams }: CliContext,
  client: HopwiseClient,
  folder: string,
  artifactId: string,
  files: Files,
): Promise<DownloadedFile[]> {
  await mkdir(folder, { recursive: true });
  const fetched: DownloadedFile[] = [];
  for (const { name } of files) {
    // A model's files lie side by side: a name with a separator is none of ours.
    if (!/^[\w.-]+$/.test(name) || name.startsWith(".")) continue;
    const input = { params: { id: artifactId }, query: { blob: name }, signal: streams.signal };
    fetched.push(await download(client, "GET /v1/artifacts/:id", join(folder, name), input));
  }
  return fetched;
}
