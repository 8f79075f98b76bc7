import { Code } from "@mantine/core";
import type { SparseSpec } from "../../services/job-form.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import { RequestText } from "../JobForm/RequestText.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { SpecDifferences } from "../SpecDifferences/SpecDifferences.tsx";
import { ReproducePanel } from "./ReproducePanel.tsx";

/** What was submitted, as the service understood it, and what was new in it. */
export function SpecTab({ job }: { readonly job: JobSnapshot }) {
  const text = JSON.stringify(job.spec, null, 2);
  return (
    <>
      {job.kind === "train" && <SpecDifferences job={job} />}
      {job.kind === "train" && <ReproducePanel job={job} />}
      <Panel
        title="Spec"
        help="With every default filled in; submit it again to repeat the job."
        aside={<CopyButton label="Copy as JSON" value={text} />}
      >
        <Code block style={{ overflow: "auto" }} tabIndex={0}>
          {text}
        </Code>
      </Panel>
      {job.kind === "train" && <RequestText spec={job.spec as SparseSpec} sweep={null} />}
    </>
  );
}
