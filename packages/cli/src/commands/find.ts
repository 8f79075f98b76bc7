import type { AnswerOf, HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";

type Dataset = AnswerOf<"GET /v1/datasets">["items"][number];
export type Model = AnswerOf<"GET /v1/models">["items"][number];
export type ModelVersion = Model["versions"][number];

/** Every item of a list that comes in pages. */
export async function* allPages<T>(
  load: (after: string | undefined) => Promise<{ items: T[]; hasNextPage: boolean; endCursor: string | null }>,
): AsyncGenerator<T> {
  for (let after: string | undefined; ; ) {
    const page = await load(after);
    yield* page.items;
    if (!page.hasNextPage || page.endCursor === null) return;
    after = page.endCursor;
  }
}

/** All items of such a list. */
export async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export function allDatasets(client: HopwiseClient): AsyncGenerator<Dataset> {
  return allPages((after) => client.call("GET /v1/datasets", { query: { first: 200, ...(after && { after }) } }));
}

/**
 * The id of a dataset by its id or name, with the `@version` that may stand behind.
 *
 * @throws CliError when no dataset is called so, or several are
 */
export async function datasetRef(client: HopwiseClient, text: string): Promise<string> {
  const [, name = "", version = ""] = /^(.*?)(@\d+)?$/.exec(text) ?? [];
  if (/^ds_\w+$/.test(name)) return text;
  const found = (await gathered(allDatasets(client))).filter((dataset) => dataset.name === name);
  const [first, second] = found;
  if (!first) throw new CliError("notFound", `There is no dataset "${name}"; hopwise datasets lists those there are.`);
  if (second) {
    const ids = found.map(({ id }) => id).join(", ");
    throw new CliError("usage", `${found.length} datasets are called "${name}"; name one by its id: ${ids}.`);
  }
  return `${first.id}${version}`;
}

/** A version of a model: `papers@3`, or the version in production, else the newest. @throws CliError */
export async function modelVersion(client: HopwiseClient, text: string): Promise<ModelVersion> {
  const [, name = "", number] = /^(.*?)(?:@(\d+))?$/.exec(text) ?? [];
  const { items } = await client.call("GET /v1/models", { query: { name } });
  const versions = items.flatMap((model) => model.versions);
  const version =
    number === undefined
      ? (versions.find(({ stage }) => stage === "production") ?? versions[0])
      : versions.find((one) => one.number === Number(number));
  if (version) return version;
  const there = versions.map(({ ref }) => ref).join(", ");
  const found = there === "" ? "hopwise models lists those there are" : `its versions are ${there}`;
  throw new CliError("notFound", `There is no model "${text}"; ${found}.`);
}

/** The id of a model by its name, with the version that may stand behind, as in `papers@3`. @throws CliError */
export async function modelByName(client: HopwiseClient, text: string): Promise<{ id: string; version?: number }> {
  const [, name = "", number] = /^(.*?)(?:@(\d+))?$/.exec(text) ?? [];
  const { items } = await client.call("GET /v1/models", { query: { name } });
  const [model] = items;
  if (model) return { id: model.id, ...(number !== undefined && { version: Number(number) }) };
  throw new CliError("notFound", `There is no model "${text}"; hopwise models lists those there are.`);
}
