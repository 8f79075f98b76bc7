import type { AnswerOf, HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";

type Version = AnswerOf<"GET /v1/datasets/:id">["versions"][number];

/**
 * Makes the version of a dataset that adds rows to its newest graph, unless one is open that does.
 *
 * @throws CliError refused while another version is open
 */
export async function openAddition(client: HopwiseClient, id: string): Promise<void> {
  const { versions } = await client.call("GET /v1/datasets/:id", { params: { id } });
  const [newest] = versions;
  if (newest?.state === "UPLOADING" || newest?.state === "MAPPING") {
    if (newest.addsTo !== null) return;
    throw new CliError(
      "refused",
      `Version ${newest.number} is not finished and stands alone: finish it, then add to it.`,
    );
  }
  await client.call("POST /v1/datasets/:id/versions", { params: { id }, body: { adds: true } });
}

/** What a version adds to which, in words; empty: it stands alone. */
export function additionOf({ addsTo, sources, graph }: Version): string {
  if (addsTo === null) return "";
  const isNew = (name: string) =>
    sources.some((file) => file.carriedFrom === null && (name === file.name || name.startsWith(`${file.name}/`)));
  const added = (graph?.info.report.files ?? []).filter(({ name }) => isNew(name));
  const rows = added.map(({ name, nodeRows, edgeRows }) => `${name} (nodes: ${nodeRows}, edges: ${edgeRows})`);
  const replaced = graph?.info.report.replacedRows ?? 0;
  const note = replaced > 0 ? `; rows of nodes replaced by later ones: ${replaced}` : "";
  return `added to version ${addsTo}: ${rows.join(", ") || "nothing yet"}${note}`;
}
