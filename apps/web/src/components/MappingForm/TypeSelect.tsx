import { NativeSelect } from "@mantine/core";

interface TypeSelectProps {
  readonly label: string;
  /** For those who hear the page: of which file */
  readonly name: string;
  readonly types: readonly string[];
  readonly value: string;
  readonly onChoose: (type: string) => void;
  /** The name of a type that would have the ids of this end; null: there are none */
  readonly own?: string | null;
  readonly onOwn?: (type: string) => void;
}

const ownIds = "/own";

/** Types by their names, which have no slash; and a new one of the ids that the edges name. */
export function TypeSelect({ label, name, types, value, onChoose, own = null, onOwn }: TypeSelectProps) {
  const choices = [{ value: "", label: "choose a type" }, ...types.map((type) => ({ value: type, label: type }))];
  const canBeOwn = own !== null && onOwn !== undefined && !types.includes(own);
  return (
    <NativeSelect
      label={label}
      aria-label={name}
      size="xs"
      w={160}
      data={canBeOwn ? [...choices, { value: ownIds, label: `${own}: the ids of this column` }] : choices}
      value={types.includes(value) ? value : ""}
      onChange={({ currentTarget }) => {
        if (currentTarget.value === ownIds && canBeOwn) onOwn(own);
        else onChoose(currentTarget.value);
      }}
    />
  );
}
