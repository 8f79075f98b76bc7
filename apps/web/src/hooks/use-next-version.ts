import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "urql";
import { askForPreview, createAddition } from "../services/datasets.ts";
import { createDatasetVersionMutation } from "../services/documents/datasets.ts";
import { problemFromGraphql, problemOfUnknown, type ShownProblem } from "../services/problem.ts";

export interface NextVersion {
  readonly isBusy: boolean;
  readonly problem: ShownProblem | null;
  /** Makes the next version of the same files, and leads to its mapping. */
  readonly mapAgain: () => Promise<void>;
  /** Makes the next version of the same files and mapping, and leads to where files with new rows are added. */
  readonly withMoreRows: () => Promise<void>;
  /** Makes the next version without files, and leads to where they are added. */
  readonly withOtherFiles: () => Promise<void>;
}

/** The next version of a dataset that is finished; the versions before it stay. */
export function useNextVersion(datasetId: string): NextVersion {
  const client = useClient();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const params = { datasetId };
  const tryTo = async (make: () => Promise<void>) => {
    setProblem(null);
    setIsBusy(true);
    try {
      await make();
    } catch (error) {
      setProblem(problemOfUnknown(error));
    } finally {
      setIsBusy(false);
    }
  };
  const make = async (withFiles: boolean) => {
    const { error } = await client.mutation(createDatasetVersionMutation, { dataset: datasetId, withFiles });
    if (error) return setProblem(problemFromGraphql(error));
    if (withFiles) await askForPreview(datasetId);
    await navigate(withFiles ? { to: "/datasets/$datasetId/mapping", params } : { to: "/datasets/$datasetId", params });
  };
  const add = async () => {
    await createAddition(datasetId);
    await navigate({ to: "/datasets/$datasetId", params });
  };
  return {
    isBusy,
    problem,
    mapAgain: () => tryTo(() => make(true)),
    withMoreRows: () => tryTo(add),
    withOtherFiles: () => tryTo(() => make(false)),
  };
}
