import { useImportIntoNew } from "../../hooks/use-import-into-new.ts";
import { nameOfFiles } from "../../services/dataset-name.ts";
import { type AskedFile, namesOf } from "../../services/import-addresses.ts";
import { Panel } from "../Panel/Panel.tsx";
import { SourceForms } from "./SourceForms.tsx";

/** Makes a dataset of files that the service fetches, and leads to its page. */
export function FetchNewDataset({ name }: { readonly name: string }) {
  const { busyWith, problem, start } = useImportIntoNew();
  const fetch = (files: readonly AskedFile[]) =>
    start(name.trim() || nameOfFiles(namesOf(files)) || "import", { files: [...files] });
  return (
    <Panel title="Or from addresses" help="Files that lie elsewhere need not pass through your computer.">
      <SourceForms
        label="Fetch and continue"
        isBusy={busyWith !== null}
        problem={problem}
        onFetch={(files) => void fetch(files)}
      />
    </Panel>
  );
}
