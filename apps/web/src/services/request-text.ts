import type { SparseSpec } from "./job-form.ts";
import type { SweepParts } from "./sweep-draft.ts";

/** What the form sends, in the words of scripts. A sweep is sent when the form has one, else a job. */

export const submitText = `mutation SubmitJob($spec: JobSpecInput!) {
  submitJob(spec: $spec) { id state }
}`;

export const submitSweepText = `mutation SubmitSweep($spec: JobSpecInput!, $grid: JSON, $seeds: [Int!], $auto: AutoInput) {
  submitSweep(spec: $spec, grid: $grid, seeds: $seeds, auto: $auto) { id numSettings }
}`;

/** The GraphQL request that this form sends, for scripts. */
export function mutationText(spec: SparseSpec, sweep: SweepParts | null): string {
  const [text, variables] = sweep ? [submitSweepText, { spec, ...sweep }] : [submitText, { spec }];
  return `${text}\n\n# Variables\n${JSON.stringify(variables, null, 2)}`;
}

/** Writes the submission as a shell command. The key is the user's own; it is never put into the text. */
export function curlText(spec: SparseSpec, sweep: SweepParts | null, origin: string): string {
  const body = JSON.stringify(sweep ? { spec, ...sweep } : spec, null, 2).replaceAll("'", `'\\''`);
  const path = sweep ? "/v1/sweeps" : "/v1/jobs";
  return `curl ${origin}${path} \\\n  -H "authorization: Bearer $HOPWISE_API_KEY" \\\n  -H "content-type: application/json" \\\n  -d '${body}'`;
}

/** Writes the submission as a program that waits for the result. The key is read from the environment. */
export function typescriptText(spec: SparseSpec, sweep: SweepParts | null, origin: string): string {
  const open = `const client = new HopwiseClient({ url: ${JSON.stringify(origin)}, key: process.env.HOPWISE_API_KEY ?? "" });`;
  const body = `const body = ${JSON.stringify(sweep ? { spec, ...sweep } : spec, null, 2)};`;
  if (!sweep) {
    return `import { HopwiseClient, succeededJob } from "@hopwise/client";

${open}
${body}
const { id } = await client.call("POST /v1/jobs", { body, idempotencyKey: crypto.randomUUID() });
const { metrics } = await succeededJob(client, id);
console.log(metrics);`;
  }
  return `import { finishedJob, HopwiseClient } from "@hopwise/client";

${open}
${body}
const { id } = await client.call("POST /v1/sweeps", { body, idempotencyKey: crypto.randomUUID() });
const read = () => client.call("GET /v1/sweeps/:id", { params: { id } });
let sweep = await read();
while (sweep.finishedAt === null) {
  for (const { jobId } of sweep.settings.flatMap(({ trials }) => trials)) await finishedJob(client, jobId);
  sweep = await read();
}
console.log(sweep.best);`;
}

/** Writes the submission as a program in Python that waits for the result. The key is read from the environment. */
export function pythonText(spec: SparseSpec, sweep: SweepParts | null, origin: string): string {
  const open = `from hopwise import Client

client = Client(${JSON.stringify(origin)})  # the key: HOPWISE_API_KEY`;
  const body = `body = ${pythonValue(sweep ? { spec, ...sweep } : spec)}`;
  const ends = sweep
    ? `sweep = client.api.submit_sweep(body)\nprint(client.wait_sweep(sweep)["best"])`
    : `job = client.api.submit_job(body)\nprint(client.wait(job)["metrics"])`;
  return `${open}\n${body}\n${ends}`;
}

const pythonWords: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** JSON as Python writes it: strings and numbers are alike in both. */
function pythonValue(value: unknown, indent = ""): string {
  const inner = `${indent}    `;
  const lines = (items: readonly string[]) => items.map((item) => `${inner}${item},\n`).join("");
  if (Array.isArray(value)) return `[${value.map((one) => pythonValue(one, inner)).join(", ")}]`;
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value);
    return pythonWords[text] ?? text;
  }
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  if (fields.length === 0) return "{}";
  return `{\n${lines(fields.map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, inner)}`))}${indent}}`;
}

/**
 * Writes the submission as a command. Strings of JSON hold no line breaks, so that no line of it can end the document.
 */
export function commandText(spec: SparseSpec, sweep: SweepParts | null, origin: string): string {
  const body = JSON.stringify(spec, null, 2);
  const grid = Object.entries(sweep?.grid ?? {}).map(([path, values]) => {
    return ` \\\n  --sweep '${`${path}=${JSON.stringify(values)}`.replaceAll("'", `'\\''`)}'`;
  });
  const search = sweep?.auto ? ` --auto ${sweep.auto.budget}` : "";
  const seeds = sweep?.seeds ? ` --seeds ${sweep.seeds.join(",")}` : "";
  return `# Once, with the key: npx hopwise login ${origin}\nnpx hopwise train --watch --spec /dev/stdin${search}${seeds}${grid.join("")} <<'JSON'\n${body}\nJSON`;
}
