import { Tabs } from "@mantine/core";
import type { AskedFile } from "../../services/import-addresses.ts";
import type { ShownProblem } from "../../services/problem.ts";
import { ImportForm } from "./ImportForm.tsx";
import { QueryForm } from "./QueryForm.tsx";

interface SourceFormsProps {
  /** What the button for files says */
  readonly label: string;
  readonly isBusy: boolean;
  readonly problem: ShownProblem | null;
  readonly onFetch: (files: readonly AskedFile[]) => void;
}

/** Where files may come from: addresses, or a query on a database. */
export function SourceForms(props: SourceFormsProps) {
  return (
    <Tabs defaultValue="files" keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="files">Files</Tabs.Tab>
        <Tabs.Tab value="database">Database</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="files">
        <ImportForm {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="database">
        <QueryForm {...props} />
      </Tabs.Panel>
    </Tabs>
  );
}
