import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";

interface NodeFormProps {
  /** Gets the id as it was typed, without blanks around it; never an empty one */
  readonly onLookUp: (node: string) => void;
}

/** Asks for the id of one node. */
export function NodeForm({ onLookUp }: NodeFormProps) {
  const [typed, setTyped] = useState("");
  const look = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== "") onLookUp(typed.trim());
  };
  return (
    <form onSubmit={look}>
      <Group align="end" gap="xs">
        <TextInput label="Node id" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        <Button type="submit" variant="default">
          Look up
        </Button>
      </Group>
    </form>
  );
}
