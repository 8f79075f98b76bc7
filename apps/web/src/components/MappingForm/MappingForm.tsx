import type { DatasetSpec } from "@hopwise/contracts";
import { Alert, List, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { fittingSpec, mappingFromPreview, type PreviewFile, specFromMapping } from "../../services/dataset-mapping.ts";
import { Panel } from "../Panel/Panel.tsx";
import { BuildButton } from "./BuildButton.tsx";
import { MappedFiles } from "./MappedFiles.tsx";
import { Policies } from "./Policies.tsx";

interface MappingFormProps {
  readonly datasetId: string;
  readonly versionId: string;
  /** The version before, which has a graph; null when there is none */
  readonly earlier: { readonly number: number; readonly spec: unknown } | null;
  readonly preview: { files: readonly PreviewFile[]; proposed: unknown; warnings: readonly string[] };
  readonly onReadAgain: () => void;
}

/** What each column means and how rows become a graph: from what is proposed to the graph that is being built. */
export function MappingForm({ datasetId, versionId, earlier, preview, onReadAgain }: MappingFormProps) {
  const { files, warnings } = preview;
  // The API checked proposal and spec with the schema of this type.
  const proposed = preview.proposed as DatasetSpec | null;
  const before = fittingSpec(files, (earlier?.spec ?? null) as DatasetSpec | null, proposed);
  const [mapping, setMapping] = useState(() => mappingFromPreview(files, before ?? proposed));
  const result = useMemo(() => specFromMapping(files, mapping), [files, mapping]);
  return (
    <Stack gap="lg">
      {before && (
        <Text size="sm" c="dimmed">
          It begins with the mapping of version {earlier?.number}, as the files are called alike.
        </Text>
      )}
      <Sentences color="yellow" title="Worth a look" lines={warnings} />
      <MappedFiles {...{ datasetId, files, mapping, onReadAgain }} onChange={setMapping} />
      <Panel
        title="Rules"
        help="How rows become a graph. Nothing is dropped in silence: the dataset's page counts every case."
      >
        <Policies mapping={mapping} onChange={setMapping} />
      </Panel>
      <Sentences color="gray" title="Still to decide" lines={"missing" in result ? result.missing : []} />
      <BuildButton datasetId={datasetId} versionId={versionId} spec={"spec" in result ? result.spec : null} />
    </Stack>
  );
}

interface SentencesProps {
  readonly color: string;
  readonly title: string;
  readonly lines: readonly string[];
}

function Sentences({ color, title, lines }: SentencesProps) {
  if (lines.length === 0) return null;
  return (
    <Alert color={color} variant="light" title={title}>
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
