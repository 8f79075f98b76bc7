import { Button, Collapse, Group, List, NativeSelect, Stack, Text } from "@mantine/core";
import { useId, useState } from "react";
import { type PreviewFile, tableKey } from "../../services/dataset-mapping.ts";
import type { ChosenReaders } from "../../services/datasets.ts";

type Choice = ChosenReaders[string];

interface FileReadingProps {
  readonly file: PreviewFile;
  /** What has been chosen here and not been read yet. */
  readonly chosen: Choice | undefined;
  readonly onChoose: (choice: Choice) => void;
}

/** How one table was read and why, and the switches for when that is wrong. */
export function FileReading({ file, chosen, onChoose }: FileReadingProps) {
  const [isOpen, setIsOpen] = useState(file.problem !== null);
  const id = useId();
  const name = tableKey(file);
  const shown: Choice = chosen ?? { type: file.reader ?? "csv", options: optionsOf(file) };
  const set = (option: string, value: unknown) =>
    onChoose({ ...shown, options: { ...shown.options, [option]: value } });
  return (
    <div>
      <Button
        size="compact-xs"
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        How {name} is read
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="xs" mt="xs">
          {file.reasons.length > 0 && (
            <List size="sm">
              {file.reasons.map((reason) => (
                <List.Item key={reason}>{reason}</List.Item>
              ))}
            </List>
          )}
          <Group gap="sm" align="flex-end">
            <NativeSelect
              size="xs"
              label="Reader"
              aria-label={`Reader of ${name}`}
              data={readers}
              value={shown.type}
              onChange={(event) => onChoose({ type: event.currentTarget.value, options: {} })}
            />
            {switchesOf(shown.type).map(({ name: option, label, values }) => (
              <NativeSelect
                key={option}
                size="xs"
                label={label}
                aria-label={`${label} of ${name}`}
                data={values.map(({ text, value }) => ({ label: text, value: JSON.stringify(value) }))}
                value={JSON.stringify(shown.options[option] ?? "auto")}
                onChange={(event) => set(option, JSON.parse(event.currentTarget.value))}
              />
            ))}
          </Group>
          <Text size="xs" c="dimmed">
            What you change here counts once the files are read again.
          </Text>
        </Stack>
      </Collapse>
    </div>
  );
}

function optionsOf({ options }: PreviewFile): Choice["options"] {
  return typeof options === "object" && options !== null ? (options as Choice["options"]) : {};
}

const readers = [
  { value: "csv", label: "Table with delimiters (CSV, TSV)" },
  { value: "edge-list", label: "Fields between blanks" },
  { value: "parquet", label: "Parquet" },
  { value: "xlsx", label: "Excel workbook" },
  { value: "json", label: "JSON, an object for each row" },
  { value: "json-lists", label: "JSON, a list for each key" },
  { value: "graph-json", label: "JSON of a whole graph" },
  { value: "graphml", label: "GraphML" },
  { value: "gexf", label: "GEXF" },
  { value: "gml", label: "GML" },
  { value: "pajek", label: "Pajek network" },
  { value: "matrix-market", label: "MatrixMarket" },
  { value: "konect", label: "KONECT" },
  { value: "lgl", label: "LGL" },
  { value: "metis", label: "METIS" },
  { value: "dimacs", label: "DIMACS" },
  { value: "adjacency-list", label: "Lists of neighbours" },
  { value: "networkx-edges", label: "Edges of networkx, with dicts" },
  { value: "gdf", label: "GDF" },
  { value: "sif", label: "SIF" },
  { value: "dot", label: "DOT" },
  { value: "tgf", label: "Trivial Graph Format" },
  { value: "cx", label: "CX of Cytoscape and NDEx" },
  { value: "apoc-json", label: "Neo4j's JSON lines (APOC)" },
  { value: "n-triples", label: "RDF in N-Triples" },
  { value: "turtle", label: "RDF in Turtle, TriG or N-Quads" },
];

interface Switch {
  readonly name: string;
  readonly label: string;
  readonly values: readonly { readonly text: string; readonly value: unknown }[];
}

const detected = { text: "As detected", value: "auto" };
const header: Switch = {
  name: "header",
  label: "First line",
  values: [detected, { text: "Names of columns", value: true }, { text: "A row like the others", value: false }],
};
const comment: Switch = {
  name: "comment",
  label: "Comments begin with",
  values: [
    detected,
    { text: "no comments", value: "none" },
    ...["#", "%", "//"].map((value) => ({ text: value, value })),
  ],
};
const delimiter: Switch = {
  name: "delimiter",
  label: "Delimiter",
  values: [
    detected,
    { text: "Comma", value: "," },
    { text: "Tab", value: "\t" },
    { text: "Semicolon", value: ";" },
    { text: "Vertical bar", value: "|" },
    { text: "Double colon, ::", value: "::" },
    { text: "Double vertical bar, ||", value: "||" },
    { text: "Double tab", value: "\t\t" },
    { text: "Control character 1 (Hive)", value: "\u0001" },
    ...["^", "~", "!", "^|^", "|~|"].map((value) => ({ text: value, value })),
  ],
};

const decimal: Switch = {
  name: "decimal",
  label: "Fractions behind",
  values: [detected, { text: "a point, 0.5", value: "." }, { text: "a comma, 0,5", value: "," }],
};

const escape: Switch = {
  name: "escape",
  label: "Quotes inside quotes",
  values: [detected, { text: 'twice, ""', value: '"' }, { text: 'behind a backslash, \\"', value: "\\" }],
};

const encoding: Switch = {
  name: "encoding",
  label: "Encoding",
  values: [
    detected,
    { text: "UTF-8", value: "utf-8" },
    { text: "Windows-1252, Latin-1", value: "windows-1252" },
    { text: "UTF-16", value: "utf-16le" },
    { text: "UTF-16, big-endian", value: "utf-16be" },
  ],
};

function switchesOf(reader: string): readonly Switch[] {
  if (reader === "csv") return [delimiter, header, decimal, comment, escape, encoding];
  if (reader === "edge-list") return [header, decimal, comment, encoding];
  if (reader === "xlsx") return [header];
  return ["parquet", "n-triples", "turtle"].includes(reader) ? [] : [encoding];
}
