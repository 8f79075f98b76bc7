import { Button, Collapse, Group, NativeSelect, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useId, useState } from "react";
import { type ColumnNames, saveUrl } from "../../services/download.ts";
import { problemOfUnknown } from "../../services/problem.ts";

interface RenamedExportProps {
  /** Has the embeddings made with columns of these names. @returns where the file is */
  readonly make: (format: string, names: ColumnNames) => Promise<string>;
}

/** What stores of vectors call their columns. */
const formats = [
  { value: "jsonl", label: "JSON lines" },
  { value: "parquet", label: "Parquet" },
  { value: "arrow", label: "Arrow" },
  { value: "neo4j", label: "Neo4j" },
];

/** Embeddings whose columns are called as another system wants them. */
export function RenamedExport({ make }: RenamedExportProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isMaking, setIsMaking] = useState(false);
  const [format, setFormat] = useState("jsonl");
  const [idColumn, setIdColumn] = useState("id");
  const [vectorColumn, setVectorColumn] = useState("vector");
  const panel = useId();
  const makeAndSave = async () => {
    setIsMaking(true);
    try {
      saveUrl(await make(format, { idColumn: idColumn.trim(), vectorColumn: vectorColumn.trim() }));
    } catch (error) {
      const problem = problemOfUnknown(error);
      notifications.show({ color: "red", title: problem.title, message: problem.detail });
    } finally {
      setIsMaking(false);
    }
  };
  return (
    <div>
      <Button
        size="compact-xs"
        variant="default"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setIsOpen(!isOpen)}
      >
        Other names of columns
      </Button>
      <Collapse expanded={isOpen} id={panel}>
        <Group gap="sm" align="flex-end" mt="xs">
          <NativeSelect
            size="xs"
            label="Format"
            data={formats}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value)}
          />
          <TextInput
            size="xs"
            label="Column of ids"
            value={idColumn}
            onChange={(event) => setIdColumn(event.currentTarget.value)}
          />
          <TextInput
            size="xs"
            label="Column of vectors"
            description="Often vector, values or embedding"
            value={vectorColumn}
            onChange={(event) => setVectorColumn(event.currentTarget.value)}
          />
          <Button size="xs" loading={isMaking} onClick={() => void makeAndSave()}>
            Make and download
          </Button>
        </Group>
      </Collapse>
    </div>
  );
}
