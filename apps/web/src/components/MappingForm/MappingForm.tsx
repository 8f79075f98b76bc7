import type { DatasetSpec } from "@hopwise/contracts";
import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { fittingSpec, type PreviewFile, partOf } from "../../services/dataset-mapping.ts";
import { GraphSetForm } from "./GraphSetForm.tsx";
import { OneTableForm } from "./OneTableForm.tsx";
import { Sentences } from "./Sentences.tsx";
import { TuForm } from "./TuForm.tsx";
import { type FormProps, TypedForm } from "./TypedForm.tsx";

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
  const start = before ?? proposed;
  const [shape, setShape] = useState<Shape>(shapeOf(start));
  const form = { datasetId, versionId, files, start, onReadAgain };
  return (
    <Stack gap="lg">
      {before && (
        <Text size="sm" c="dimmed">
          It begins with the mapping of version {earlier?.number}, as the files are called alike.
        </Text>
      )}
      <Sentences color="yellow" title="Worth a look" lines={warnings} />
      {files.every((file) => partOf(file) === null) && (
        <SegmentedControl
          aria-label="How the files hold the graph"
          w="fit-content"
          data={[
            { value: "one", label: "One table" },
            { value: "typed", label: "A file for each type" },
            { value: "set", label: "A set of graphs" },
          ]}
          value={shape}
          onChange={(value) => setShape(value)}
        />
      )}
      <ShapeForm shape={shape} {...form} />
    </Stack>
  );
}

/** How the files hold what is learnt from */
type Shape = "one" | "typed" | "set";

function shapeOf(spec: DatasetSpec | null): Shape {
  if (spec?.graphs || spec?.tu) return "set";
  return spec?.relations ? "typed" : "one";
}

function ShapeForm({ shape, ...form }: FormProps & { readonly shape: Shape }) {
  if (shape === "typed") return <TypedForm {...form} />;
  if (shape === "one") return <OneTableForm {...form} />;
  return form.start?.tu ? <TuForm {...form} tu={form.start.tu} /> : <GraphSetForm {...form} />;
}
