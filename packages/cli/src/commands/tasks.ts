import type { HopwiseClient } from "@hopwise/client";

const query =
  "query Tasks($id: ID!, $number: Int) { dataset(id: $id) { version(number: $number) { tasks { task } } } }";

interface Answer {
  readonly dataset: {
    readonly version: { readonly tasks: readonly { task: Record<string, unknown> }[] } | null;
  } | null;
}

/** What can be learnt on a dataset, by its id with a version or without: values of `task`, the likeliest first. */
export async function offeredTasks(client: HopwiseClient, dataset: string): Promise<Record<string, unknown>[]> {
  const [id, number] = dataset.split("@");
  const { dataset: found } = await client.graphql<Answer>(query, {
    id,
    number: number === undefined ? null : Number(number),
  });
  return (found?.version?.tasks ?? []).map(({ task }) => task);
}
