import { isEnded } from "./job-state.ts";
import { isProblem, ProblemError } from "./problem.ts";
import { callRest } from "./rest.ts";

const waitMs = 1000;
const patienceMs = 10 * 60_000;

interface RequestedExport {
  readonly ready: boolean;
  readonly job: string | null;
}

/**
 * Has a file of a job's results made, waits for the job that makes it, then hands the file to the browser.
 * @throws ProblemError when the API refuses, the job fails, or it has not ended after ten minutes
 */
export async function makeAndSave(url: string): Promise<void> {
  const { ready, job } = (await callRest("POST", url)).body as RequestedExport;
  if (!ready && job !== null) await succeeded(job);
  save(url);
}

async function succeeded(id: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    const job = (await callRest("GET", `/v1/jobs/${id}`)).body as { state: string; problem: unknown };
    if (job.state === "SUCCEEDED") return;
    if (isEnded(job.state)) throw new ProblemError(isProblem(job.problem) ? job.problem : notMade(job.state));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new ProblemError({
    code: "TIMEOUT",
    title: "The file is not made yet",
    detail: "A worker has been making it for ten minutes. Look at the jobs page, and ask again later.",
  });
}

function notMade(state: string) {
  const detail = `The job that makes it is ${state}. Look at it on the jobs page, or ask again.`;
  return { code: "EXPORT_NOT_MADE", title: "The file was not made", detail };
}

function save(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}

/** Hands a file that was made in the page to the browser. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  // The download has its own hold on the file once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
