import { Alert, List } from "@mantine/core";

interface SentencesProps {
  readonly color: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Sentences about the files in a box; none: no box. */
export function Sentences({ color, title, lines }: SentencesProps) {
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
