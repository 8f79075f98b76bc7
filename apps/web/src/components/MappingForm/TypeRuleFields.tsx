import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { TypeRule } from "../../services/dataset-mapping.ts";

interface TypeRuleFieldsProps {
  readonly rule: TypeRule | null;
  readonly onChange: (rule: TypeRule | null) => void;
}

/** Which of several labels in a cell is the type of a node. */
export function TypeRuleFields({ rule, onChange }: TypeRuleFieldsProps) {
  // As it is written: a comma at its end is of a name that is yet to come.
  const [preferred, setPreferred] = useState(() => rule?.prefer.join(", ") ?? "");
  const numMapped = Object.keys(rule?.map ?? {}).length;
  const mapped = numMapped === 0 ? "" : `; ${numMapped} combinations have a type of their own`;
  return (
    <>
      <TextInput
        label="Several types in a cell"
        description="The character between them; empty: a cell is one type"
        inputWrapperOrder={["label", "input", "description"]}
        w={250}
        maxLength={8}
        value={rule?.separator ?? ""}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === "" ? null : { ...(rule ?? { map: {}, prefer: namesIn(preferred) }), separator: value })
        }
      />
      {rule && (
        <TextInput
          label="Which of them counts"
          description={`With commas between: the first of these that a node has, else the first in its cell${mapped}`}
          inputWrapperOrder={["label", "input", "description"]}
          w={250}
          value={preferred}
          onChange={({ currentTarget: { value } }) => {
            setPreferred(value);
            onChange({ ...rule, prefer: namesIn(value) });
          }}
        />
      )}
    </>
  );
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
}
