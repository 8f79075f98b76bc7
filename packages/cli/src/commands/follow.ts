import { finishedJob, type Job } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { eventLine, progressLine } from "../output/progress.ts";

/**
 * Follows a job to its end and tells how it gets on: a line that changes on a terminal, a line for each change
 * elsewhere. An interrupt ends the program, not the job.
 *
 * @throws CliError when the job fails or is cancelled
 */
export async function followJob({ client, output, streams }: CliContext, id: string): Promise<Job> {
  let told = "";
  const tell = (line: string, isPassing: boolean) => {
    if (line === told) return;
    told = line;
    if (isPassing && output.isTerminal) return output.status(line);
    output.endStatus();
    output.note(line);
  };
  try {
    const job = await finishedJob(await client(), id, {
      signal: streams.signal,
      onEvent: (event) => {
        const line = event.type === "StageProgressed" ? progressLine(event.body) : eventLine(event);
        if (line !== null) tell(line, event.type === "StageProgressed");
      },
    });
    if (job.state === "SUCCEEDED") return job;
    const reason = job.problem ? `: ${job.problem.code}: ${job.problem.detail}` : "";
    throw new CliError("jobFailed", `The job ${id} is ${job.state}${reason}`);
  } finally {
    output.endStatus();
  }
}
