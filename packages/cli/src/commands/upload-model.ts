import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { uploadModel } from "@hopwise/client";
import { openFileWithDigest } from "@hopwise/client/node";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { CliContext, Run } from "../context.ts";
import { statusOfFile } from "../output/status-of-file.ts";
import { allPages, gathered } from "./find.ts";
import { followJob } from "./follow.ts";

interface UploadModelOptions {
  readonly name?: string;
  readonly note: string;
  readonly project?: string;
  readonly upload?: string;
}

export function addModelUpload(models: Command, run: Run): void {
  models
    .command("upload")
    .argument("<files...>", "the folder of a downloaded model, or its files: card.json, model.safetensors …")
    .option("--name <name>", "of a new model, or of one that gets another version; left out: the folder's")
    .option("--note <text>", "kept with the version", "")
    .option("--project <project>", "of the model")
    .option("--upload <id>", "of an upload that was broken off, to go on with")
    .description("uploads a model as download gives it, and keeps it as the next version under a name")
    .action(
      run(async (context, paths: string[], options: UploadModelOptions) => {
        const { output, streams } = context;
        const name = options.name ?? nameOfFolder(paths);
        const files = await Promise.all((await filesIn(paths)).map(openOne));
        const client = await context.client();
        const { note, project, upload } = options;
        const tell = new Map(files.map((file) => [file.name, statusOfFile(file.name, (text) => output.status(text))]));
        let place = upload;
        const job = await uploadModel(client, {
          name,
          note,
          project,
          upload,
          files,
          signal: streams.signal,
          onPlace: (id) => {
            place = id;
          },
          onProgress: (file, ...bytes) => tell.get(file)?.onProgress(...bytes),
          onFinishing: (file, ...bytes) => tell.get(file)?.onFinishing(...bytes),
          onWaiting: (reason) => reason !== null && output.status(`upload:  waiting. ${reason}`),
        })
          .catch((error: unknown) => {
            if (place !== undefined) output.note(`What has arrived is kept for a day; go on with --upload ${place}.`);
            throw error;
          })
          .finally(() => output.endStatus());
        await followJob(context, job.id);
        await tellVersion(context, job.id, name);
      }),
    );
}

async function tellVersion({ client: open, output }: CliContext, jobId: string, name: string): Promise<void> {
  const client = await open();
  const models = await gathered(
    allPages((after) => client.call("GET /v1/models", { query: { name, ...(after && { after }) } })),
  );
  const version = models.flatMap(({ versions }) => versions).find((one) => one.jobId === jobId);
  if (!version) throw new CliError("refused", `The version of ${name} is deleted already.`);
  output.result(version, version.ref);
}

/** The name alone, where a download has called its folder papers@3. */
function nameOfFolder([first = ""]: readonly string[]): string {
  return basename(first).replace(/@\d+$/, "");
}

async function filesIn(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const isFolder = await stat(path).then((one) => one.isDirectory(), unreadable(path));
    // What hides itself is the file manager's.
    const names = isFolder ? (await readdir(path)).filter((name) => !name.startsWith(".")) : [];
    found.push(...(isFolder ? names.map((name) => join(path, name)) : [path]));
  }
  return found;
}

function openOne(path: string) {
  return openFileWithDigest(path).catch(unreadable(path));
}

function unreadable(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw new CliError("usage", `${error.path ?? path} cannot be read: ${error.message}.`);
  };
}
