import { NativeSelect } from "@mantine/core";
import type { MissingFeatures } from "../../services/dataset-mapping.ts";

interface MissingChoiceProps {
  readonly file: string;
  readonly column: string;
  readonly missing: MissingFeatures;
  readonly onChange: (missing: MissingFeatures) => void;
}

/** What is taken where a feature is missing; a rule that was given in the spec alone is kept as it is. */
export function MissingChoice({ file, column, missing, onChange }: MissingChoiceProps) {
  const rule = Object.hasOwn(missing, column) ? missing[column] : undefined;
  const isUsual = !rule || (rule.indicator && (rule.fill === "mean" || rule.fill === 0));
  const value = rule ? (isUsual ? String(rule.fill) : "kept") : "refuse";
  const choose = (chosen: string) => {
    if (chosen === "kept") return;
    const others = Object.fromEntries(Object.entries(missing).filter(([name]) => name !== column));
    const fill = chosen === "mean" ? chosen : 0;
    onChange(chosen === "refuse" ? others : { ...others, [column]: { fill, indicator: true } });
  };
  return (
    <NativeSelect
      size="xs"
      mt={4}
      aria-label={`Where ${column} in ${file} is missing`}
      title="What is taken where a cell is empty or says NA, null or the like. The mean and 0 come with a column that is 1 there."
      data={[
        { value: "refuse", label: "missing: refuse" },
        { value: "mean", label: "missing: take the mean" },
        { value: "0", label: "missing: take 0" },
        ...(isUsual ? [] : [{ value: "kept", label: `missing: take ${rule?.fill}` }]),
      ]}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
