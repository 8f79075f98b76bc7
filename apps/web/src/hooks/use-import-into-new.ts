import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "urql";
import { createDataset } from "../services/datasets.ts";
import { deleteDatasetMutation } from "../services/documents/datasets.ts";
import { startImportMutation } from "../services/documents/imports.ts";
import type { VariablesOf } from "../services/graphql.ts";
import { problemFromGraphql, problemOfUnknown, type ShownProblem } from "../services/problem.ts";

type ImportInput = VariablesOf<typeof startImportMutation>["input"];

export interface ImportIntoNew {
  /** The name of the dataset that is being made; null: none is. */
  readonly busyWith: string | null;
  readonly problem: ShownProblem | null;
  /** Makes a dataset, has its files fetched, and leads to its page. */
  readonly start: (name: string, input: ImportInput) => Promise<void>;
}

/** A dataset of files that the service fetches; where it refuses them, no dataset stays behind. */
export function useImportIntoNew(): ImportIntoNew {
  const client = useClient();
  const navigate = useNavigate();
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const start = async (name: string, input: ImportInput) => {
    setProblem(null);
    setBusyWith(name);
    try {
      const datasetId = await createDataset(name);
      const { error } = await client.mutation(startImportMutation, { dataset: datasetId, input });
      if (error) {
        setProblem(problemFromGraphql(error));
        await client.mutation(deleteDatasetMutation, { id: datasetId });
        return;
      }
      await navigate({ to: "/datasets/$datasetId", params: { datasetId } });
    } catch (error) {
      setProblem(problemOfUnknown(error));
    } finally {
      setBusyWith(null);
    }
  };
  return { busyWith, problem, start };
}
