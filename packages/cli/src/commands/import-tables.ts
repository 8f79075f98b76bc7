import type { AnswerOf, InputOf } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";

type Proposal = AnswerOf<"POST /v1/import-proposals">;
type Wanted = InputOf<"POST /v1/import-proposals">["body"];

/** Shows what a database would be asked for the tables that are wanted. */
export async function planOf(context: CliContext, wanted: Wanted): Promise<void> {
  const proposal = await propose(context, wanted);
  const { output } = context;
  output.table(proposal.files, proposal, {
    FILE: ({ name }) => name,
    "WHAT IT HAS": ({ kind, joins }) => (kind === "nodes" ? "nodes" : joins.join(" to ")),
    QUERY: ({ query }) => query,
  });
  tell(context, proposal);
}

/** The files that a database's tables become, as an import asks for them. @throws CliError for more than fit */
export async function proposedFiles(context: CliContext, wanted: Wanted) {
  const proposal = await propose(context, wanted);
  tell(context, proposal);
  const { files, url, mostFiles } = proposal;
  const help = "hopwise import … --tables --plan shows them, and --tables=users,orders names those that are wanted.";
  if (files.length === 0) throw new CliError("refused", `No table becomes a file of a graph. ${help}`);
  if (files.length > mostFiles)
    throw new CliError("refused", `These are ${files.length} files; a dataset takes ${mostFiles}. ${help}`);
  return files.map(({ name, query }) => ({ url, name, query, credential: wanted.credential }));
}

async function propose({ client: open }: CliContext, body: Wanted): Promise<Proposal> {
  return (await open()).call("POST /v1/import-proposals", { body });
}

function tell({ output }: CliContext, { files, leftOut }: Proposal): void {
  for (const { name, notes } of files) for (const note of notes) output.note(`${name}: ${note}`);
  for (const { name, reason } of leftOut) output.note(`${name} is left out. ${reason}`);
}
