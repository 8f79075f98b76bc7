import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openapiDocument } from "../../src/rest/openapi.ts";

const run = promisify(execFile);
const modules = fileURLToPath(new URL("../../../../node_modules/", import.meta.url));
const support = (name: string) => fileURLToPath(new URL(`support/${name}`, import.meta.url));
const patience = 120_000;

const document = openapiDocument({ sessionCookie: "hopwise_session" });

interface Fault {
  readonly rule: string;
  readonly severity: "warn" | "error";
  readonly message: string;
  readonly pointer: string;
}

async function lint(text: string): Promise<Fault[]> {
  const linting = run(process.execPath, [support("lint-openapi.mjs")]);
  linting.child.stdin?.end(text);
  const { stdout } = await linting;
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("the OpenAPI document", () => {
  it(
    "keeps the rules that Redocly recommends, its warnings too",
    async () => {
      expect(await lint(JSON.stringify(document))).toEqual([]);
    },
    patience,
  );

  it.each([
    [
      "a reference that leads nowhere",
      "#/components/schemas/Problem",
      "#/components/schemas/Nothing",
      "no-unresolved-refs",
    ],
    [
      "two operations of one name",
      '"operationId":"readJob"',
      '"operationId":"listJobs"',
      "operation-operationId-unique",
    ],
  ])(
    "is not let through with %s",
    async (_what, right, wrong, rule) => {
      const text = JSON.stringify(document);
      expect(text).toContain(right);
      const faults = await lint(text.replace(right, wrong));
      expect(faults.map((fault) => fault.rule)).toContain(rule);
    },
    patience,
  );
});

/** A program of somebody who has only the document; what it must not be able to say is marked as an error. */
const program = `
import createClient from "openapi-fetch";
import type { paths } from "./hopwise.d.ts";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:4680" });

export async function lossesOf(id: string): Promise<readonly (number | null)[]> {
  const { data, error } = await client.GET("/v1/jobs/{id}/series", { params: { path: { id } } });
  if (error) throw new Error(error.code + ": " + error.detail);
  return data.flatMap(({ values }) => values);
}

export async function nameOf(id: string): Promise<string> {
  const { data } = await client.GET("/v1/jobs/{id}", { params: { path: { id } } });
  // @ts-expect-error no row of the database leaves the service
  data?.requestHash;
  return data?.name ?? "";
}

// @ts-expect-error there is no such route
void client.GET("/v1/nothing");
// @ts-expect-error the id is missing
void client.POST("/v1/jobs/{id}/cancel");
`;

describe("a client generated from the OpenAPI document", () => {
  let folder: string;
  beforeAll(async () => {
    // Within node_modules, so that the program finds the library that it uses.
    folder = await mkdtemp(join(modules, ".openapi-client-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(
    "compiles, knows every answer, and takes nothing that the routes do not",
    async () => {
      const file = (name: string) => join(folder, name);
      await writeFile(file("openapi.json"), JSON.stringify(document));
      await writeFile(file("program.ts"), program);
      const generator = join(modules, "openapi-typescript/bin/cli.js");
      const hook = ["--import", support("with-typescript-5.mjs")];
      await run(process.execPath, [...hook, generator, file("openapi.json"), "-o", file("hopwise.d.ts")]);
      const options =
        "--ignoreConfig --noEmit --strict --target es2022 --module nodenext --lib es2022,dom,dom.iterable --types node".split(
          " ",
        );
      const compiler = join(modules, ".bin/tsc");
      const compiled = await run(compiler, [...options, file("program.ts")]).catch((error) => error);
      expect(compiled.stdout).toBe("");
    },
    patience,
  );
});
