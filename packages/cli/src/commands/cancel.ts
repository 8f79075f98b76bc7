import type { AddCommand } from "../context.ts";

export const addCancel: AddCommand = (program, run) => {
  program
    .command("cancel")
    .argument("<job>", "id of a job")
    .description("has a job stopped; what its finished stages made is kept")
    .action(
      run(async ({ client, output }, id: string) => {
        const job = await (await client()).call("POST /v1/jobs/:id/cancel", { params: { id } });
        output.result(job, `${job.id} ${job.state}`);
      }),
    );
};
