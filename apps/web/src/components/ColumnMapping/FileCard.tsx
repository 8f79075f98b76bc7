import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { isMatrix, type PreviewFile, tableKey } from "../../services/dataset-mapping.ts";
import type { ChosenReaders } from "../../services/datasets.ts";
import { formatBytes, formatCount } from "../../services/format.ts";
import { FileReading } from "../FileReading/FileReading.tsx";
import classes from "./ColumnMapping.module.css";

/** How a file is read, where somebody chooses it. */
export interface ReaderChoice {
  readonly chosenReader: ChosenReaders[string] | undefined;
  readonly onChooseReader: (choice: ChosenReaders[string]) => void;
}

interface FileCardProps<Use extends string> extends ReaderChoice {
  readonly file: PreviewFile;
  readonly uses: readonly { readonly value: Use; readonly label: string }[];
  readonly use: Use;
  readonly onUse: (use: Use) => void;
  readonly children: ReactNode;
}

/** One file: how it was read, what it holds, and what its use asks for. */
export function FileCard<Use extends string>({ file, uses, use, onUse, children, ...reader }: FileCardProps<Use>) {
  const name = tableKey(file);
  return (
    <Stack gap="sm" component="section" aria-label={`File ${name}`} className={classes.file}>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} className="clip">
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="num">
            {file.reader ?? "not read"} · {formatBytes(file.bytes)}
            {file.columns.length > 0 ? ` · ${formatCount(file.columns.length)} columns` : ""}
          </Text>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={`What ${name} holds`}
          data={[...uses]}
          // A table has many uses, more than a narrow page has room for in one line.
          style={{ flexWrap: "wrap" }}
          value={use}
          onChange={(value) => onUse(value)}
        />
      </Group>
      {file.problem && (
        <Text size="sm" c="red" role="alert">
          {file.problem}
        </Text>
      )}
      {!isMatrix(file) && <FileReading file={file} chosen={reader.chosenReader} onChoose={reader.onChooseReader} />}
      {children}
    </Stack>
  );
}
