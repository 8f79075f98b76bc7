import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  commandText,
  curlText,
  mutationText,
  pythonText,
  typescriptText,
} from "../../apps/web/src/services/request-text.ts";
import { hopwiseProgram } from "./hopwise.ts";
import { programsDir } from "./page-program.ts";
import { hasPython, python } from "./python.ts";

const run = promisify(execFile);

interface Place {
  readonly dir: string;
  /** With HOPWISE_API_KEY and HOPWISE_URL. */
  readonly env: Record<string, string>;
}

/** Runs each text that the dashboard offers to copy for a job, as somebody who pastes it. */
export async function runCopied(spec: Record<string, unknown>, url: string, { dir, env }: Place): Promise<void> {
  const { PATH = "" } = process.env;
  const options = { cwd: dir, env: { PATH, ...env } };
  await run("bash", ["-euc", `${curlText(spec, null, url)} -sS --fail-with-body`], options);
  if (hasPython) await python(["-c", pythonText(spec, null, url)], { env, cwd: dir });
  // Whoever has linked or aliased it calls it by its name, without npx.
  const command = commandText(spec, null, url).replaceAll("npx hopwise", `node ${hopwiseProgram}`);
  await run("bash", ["-euc", command], options);
  const folder = mkdtempSync(join(programsDir, "copied-"));
  try {
    writeFileSync(join(folder, "program.mts"), typescriptText(spec, null, url));
    await run("node", ["--import", "tsx", join(folder, "program.mts")], { ...options, cwd: dirname(programsDir) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const [query = "", variables = "{}"] = mutationText(spec, null).split("# Variables");
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${env["HOPWISE_API_KEY"]}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables: JSON.parse(variables) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
