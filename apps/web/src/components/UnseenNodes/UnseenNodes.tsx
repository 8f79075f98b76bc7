import type { Job } from "@hopwise/client";
import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { api } from "../../services/api.ts";
import { DownloadButton } from "../DownloadButton/DownloadButton.tsx";
import { Panel } from "../Panel/Panel.tsx";

type LearnedRows = Job["learnedRows"];

/** Nodes that the model which a job applies has no learned row of; nothing where it has one of every node. */
export function UnseenNodes({ jobId }: { readonly jobId: string }) {
  const [rows, setRows] = useState<LearnedRows>(null);
  useEffect(() => {
    // The page is whole without it, and the step's log has the same counts.
    const asked = api.call("GET /v1/jobs/:id", { params: { id: jobId } });
    asked.then(({ learnedRows }) => setRows(learnedRows)).catch(() => {});
  }, [jobId]);
  return <UnseenPanel rows={rows} />;
}

export function UnseenPanel({ rows }: { readonly rows: LearnedRows }) {
  if (!rows || rows.unseen === 0) return null;
  return (
    <Panel
      title="Nodes without a learned row"
      help="The model has rows that it learned of single nodes, and finds them by their ids."
      aside={<DownloadButton label="All of them (CSV)" url={rows.url} ready bytes={null} />}
    >
      <Text size="sm">{rows.text}</Text>
    </Panel>
  );
}
