import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { AddCommand, Run } from "../context.ts";
import { allPages, gathered, modelVersion } from "./find.ts";
import { figures } from "./submit.ts";
import { addModelUpload } from "./upload-model.ts";

export const addModels: AddCommand = (program, run) => {
  const models = program
    .command("models")
    .description("lists the kept models; with a further word keeps, uploads, shows, moves or deletes one")
    .action(
      run(async ({ client: open, output }) => {
        const client = await open();
        const items = await gathered(
          allPages((after) => client.call("GET /v1/models", { query: { first: 200, ...(after && { after }) } })),
        );
        output.table(
          items.flatMap(({ versions }) => versions),
          items,
          {
            MODEL: ({ ref }) => ref,
            STAGE: ({ stage }) => stage,
            TYPE: ({ modelType }) => modelType,
            DATASET: ({ dataset }) => dataset,
            RESULT: ({ metrics }) => figures(metrics)[0] ?? "",
            KEPT: ({ createdAt }) => createdAt,
          },
        );
      }),
    );
  addKeep(models, run);
  addModelUpload(models, run);
  addShow(models, run);
  addStages(models, run);
  addDelete(models, run);
};

function addKeep(models: Command, run: Run): void {
  models
    .command("keep")
    .argument("<job>", "id of a training job that has succeeded")
    .argument("<name>", "of a new model, or of one that gets another version")
    .option("--note <text>", "kept with the version", "")
    .description("keeps the model of a job as the next version under a name")
    .action(
      run(async ({ client, output }, job: string, name: string, { note }: { note: string }) => {
        const version = await (await client()).call("POST /v1/models", { body: { name, job, note } });
        output.result(version, version.ref);
      }),
    );
}

function addShow(models: Command, run: Run): void {
  models
    .command("show")
    .argument("<model>", "name, or name@version")
    .description("shows the card of a version: data, spec, metrics, files")
    .action(
      run(async ({ client: open, output }, text: string) => {
        const client = await open();
        const { id } = await modelVersion(client, text);
        const card = await client.call("GET /v1/model-versions/:id", { params: { id } });
        output.result(card, JSON.stringify(card, null, 2));
      }),
    );
}

function addStages(models: Command, run: Run): void {
  const moves = [
    ["promote", "production", "moves a version to production; the one that was there is archived"],
    ["archive", "archived", "archives a version"],
  ] as const;
  for (const [name, stage, description] of moves) {
    models
      .command(name)
      .argument("<model>", "name@version")
      .description(description)
      .action(
        run(async ({ client: open, output }, text: string) => {
          const client = await open();
          const { id } = await modelVersion(client, text);
          const version = await client.call("PUT /v1/model-versions/:id", { params: { id }, body: { stage } });
          output.result(version, `${version.ref} ${version.stage}`);
        }),
      );
  }
}

function addDelete(models: Command, run: Run): void {
  models
    .command("delete")
    .argument("<model>", "name@version")
    .description("deletes a version; a job that applies it goes on to its end")
    .action(
      run(async ({ client: open, output }, text: string) => {
        if (!/@\d+$/.test(text)) throw new CliError("usage", `"${text}" names no version; write name@version.`);
        const client = await open();
        const { id, ref } = await modelVersion(client, text);
        await client.call("DELETE /v1/model-versions/:id", { params: { id } });
        output.result({ deleted: ref }, `${ref} is deleted.`);
      }),
    );
}
