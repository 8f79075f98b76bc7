import type { AddCommand } from "../context.ts";
import { followJob } from "./follow.ts";
import { figures, rowsInWords } from "./submit.ts";

export const addWatch: AddCommand = (program, run) => {
  program
    .command("watch")
    .argument("<job>", "id of a job")
    .description("follows a job to its end: phase, amount, share and time left of each stage")
    .addHelpText("after", "\nAn interrupt ends the following, not the job.")
    .action(
      run(async (context, id: string) => {
        const { endsTraining } = await (await context.client()).call("GET /v1/jobs/:id", { params: { id } });
        if (endsTraining) context.output.note("its training was told to end where it is, with the best model so far");
        const job = await followJob(context, id);
        context.output.result(job, [`${job.id} ${job.state}`, ...rowsInWords(job), ...figures(job.metrics)].join("\n"));
      }),
    );
};
