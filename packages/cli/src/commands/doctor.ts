import { CliError } from "../cli-error.ts";
import type { AddCommand } from "../context.ts";
import { examineService } from "../doctor/examine-service.ts";
import type { Finding } from "../doctor/finding.ts";

const marks = { good: "ok  ", note: "note", bad: "BAD " } as const satisfies Record<Finding["state"], string>;

export const addDoctor: AddCommand = (program, run) => {
  program
    .command("doctor")
    .description(
      "checks the service, its stores, the key, and what its workers can run; ends with 1 when something is bad",
    )
    .addHelpText(
      "after",
      "\nOn a worker's host, script/doctor tries its backend and the connections between all workers.",
    )
    .action(
      run(async ({ client, output, streams }) => {
        const findings = await examineService(await client(), streams.signal);
        output.result(findings, findings.map(textOf).join("\n"));
        const bad = findings.filter(({ state }) => state === "bad").length;
        if (bad > 0) throw new CliError("refused", `${bad} of ${findings.length} findings are bad.`);
      }),
    );
};

function textOf({ state, found, advice }: Finding): string {
  return `${marks[state]}  ${found}${advice === null ? "" : `\n      ${advice}`}`;
}
