import { NativeSelect } from "@mantine/core";
import type { ListUse } from "../../services/joined-files.ts";

interface SideChoiceProps {
  readonly file: string;
  readonly side: ListUse | undefined;
  readonly onChange: (side: ListUse | undefined) => void;
}

const sides: readonly { readonly value: ListUse | ""; readonly label: string }[] = [
  { value: "", label: "no side, or that of a column" },
  { value: "trainIds", label: "train: to learn from" },
  { value: "valIds", label: "val: to choose by" },
  { value: "testIds", label: "test: to judge by" },
];

/** On which side of the split all nodes are that a file has rows of */
export function SideChoice({ file, side, onChange }: SideChoiceProps) {
  return (
    <NativeSelect
      label="Side of the split"
      aria-label={`Side of ${file}`}
      size="xs"
      w={220}
      data={[...sides]}
      value={side ?? ""}
      onChange={({ currentTarget }) =>
        onChange(sides.find(({ value }) => value === currentTarget.value)?.value || undefined)
      }
    />
  );
}

/** The sides with that of one file changed. */
export function withSide(
  all: Readonly<Record<string, ListUse>>,
  file: string,
  side: ListUse | undefined,
): Readonly<Record<string, ListUse>> {
  const others = Object.fromEntries(Object.entries(all).filter(([name]) => name !== file));
  return side ? { ...others, [file]: side } : others;
}

/** Where one file has all nodes, and no other says more of them, no side is all of it. */
export function mayHaveSide(uses: Readonly<Record<string, string>>): boolean {
  return Object.values(uses).filter((use) => ["nodes", "type", "joined"].includes(use)).length > 1;
}
