import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { AddCommand, Run } from "../context.ts";
import { repeated } from "./arguments.ts";
import { readSecret } from "./read-secret.ts";

export const addCredentials: AddCommand = (program, run) => {
  const credentials = program
    .command("credentials")
    .description(
      "lists the credentials that imports and write-backs may send to others; with a further word adds or deletes one",
    )
    .action(
      run(async ({ client: open, output }) => {
        const { items } = await (await open()).call("GET /v1/source-credentials", {});
        output.table(items, items, {
          NAME: ({ name }) => name,
          KIND: ({ kind }) => kind,
          HOSTS: ({ hosts }) => hosts.join(", "),
          ID: ({ id }) => id,
        });
      }),
    );
  addAdd(credentials, run);
  addDelete(credentials, run);
};

const kinds = ["bearer", "basic", "header", "s3", "database", "databaseWrite"] as const;

interface AddOptions {
  readonly kind: string;
  readonly host?: readonly string[];
  readonly project?: string;
}

function addAdd(credentials: Command, run: Run): void {
  credentials
    .command("add")
    .argument("<name>", "what imports call it by")
    .option("--host <host>", "where it may be sent: host, host:port or *.example.com; may be repeated", repeated)
    .option(
      "--kind <kind>",
      "bearer, basic (user:password), header (Name: value), s3 (access key id:secret access key), database or databaseWrite (user:password, to read or to write results back)",
      "bearer",
    )
    .option("--project <project>", "whose imports may send it")
    .description("stores a credential, read from the terminal or standard input")
    .action(
      run(async ({ client: open, output, streams }, name: string, { kind: text, host = [], project }: AddOptions) => {
        const kind = kinds.find((one) => one === text);
        if (!kind) throw new CliError("usage", `Found --kind ${text}, expected one of ${kinds.join(", ")}.`);
        if (host.length === 0) throw new CliError("usage", "Where it may be sent is not said; give --host <host>.");
        const secret = (await readSecret(streams, "Secret")).trim();
        const body = { name, kind, hosts: [...host], secret, ...(project !== undefined && { project }) };
        const made = await (await open()).call("POST /v1/source-credentials", { body });
        output.result(made, `${made.name} goes to ${made.hosts.join(", ")} and nowhere else.`);
      }),
    );
}

function addDelete(credentials: Command, run: Run): void {
  credentials
    .command("delete")
    .argument("<name>", "name or id")
    .description("removes a credential")
    .action(
      run(async ({ client: open, output }, text: string) => {
        const client = await open();
        const { items } = await client.call("GET /v1/source-credentials", {});
        const found = items.filter(({ id, name }) => id === text || name === text);
        const [first, second] = found;
        if (!first) throw new CliError("notFound", `There is no credential "${text}"; hopwise credentials lists them.`);
        if (second) throw new CliError("usage", `Several projects have a credential "${text}"; name it by its id.`);
        await client.call("DELETE /v1/source-credentials/:id", { params: { id: first.id } });
        output.result({ id: first.id, deleted: true }, `${first.name} is removed.`);
      }),
    );
}
