import type { AddCommand } from "../context.ts";

export const addEndTraining: AddCommand = (program, run) => {
  program
    .command("end-training")
    .argument("<job>", "id of a job that trains")
    .description("has a training end where it is, with the best model so far as its result")
    .action(
      run(async ({ client, output }, id: string) => {
        const job = await (await client()).call("POST /v1/jobs/:id/end-training", { params: { id } });
        output.result(job, `${job.id} ends its training`);
      }),
    );
};
