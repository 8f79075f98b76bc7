import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "urql";
import { nameOfFiles } from "../../services/dataset-name.ts";
import { createDataset } from "../../services/datasets.ts";
import { deleteDatasetMutation } from "../../services/documents/datasets.ts";
import { startImportMutation } from "../../services/documents/imports.ts";
import { type AskedFile, namesOf } from "../../services/import-addresses.ts";
import { problemFromGraphql, problemOfUnknown, type ShownProblem } from "../../services/problem.ts";
import { Panel } from "../Panel/Panel.tsx";
import { ImportForm } from "./ImportForm.tsx";

/** Makes a dataset of files that the service fetches, and leads to its page. */
export function FetchNewDataset({ name }: { readonly name: string }) {
  const client = useClient();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const fetch = async (files: readonly AskedFile[]) => {
    setProblem(null);
    setIsBusy(true);
    try {
      const datasetId = await createDataset(name.trim() || nameOfFiles(namesOf(files)) || "import");
      const { error } = await client.mutation(startImportMutation, {
        dataset: datasetId,
        input: { files: [...files] },
      });
      if (error) {
        setProblem(problemFromGraphql(error));
        // Nothing of it is to stay where nothing is fetched.
        await client.mutation(deleteDatasetMutation, { id: datasetId });
        return;
      }
      await navigate({ to: "/datasets/$datasetId", params: { datasetId } });
    } catch (error) {
      setProblem(problemOfUnknown(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Panel title="Or from addresses" help="Files that lie elsewhere need not pass through your computer.">
      <ImportForm label="Fetch and continue" isBusy={isBusy} problem={problem} onFetch={(files) => void fetch(files)} />
    </Panel>
  );
}
