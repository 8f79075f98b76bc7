import { Group, Select, TextInput } from "@mantine/core";
import type { DatasetMapping } from "../../services/dataset-mapping.ts";
import { TypeRuleFields } from "./TypeRuleFields.tsx";

interface PoliciesProps {
  readonly mapping: DatasetMapping;
  readonly onChange: (mapping: DatasetMapping) => void;
}

/** How rows become a graph: the direction of edges, and what becomes of rows that one may see in two ways. */
export function Policies({ mapping, onChange }: PoliciesProps) {
  const set = (change: Partial<DatasetMapping>) => onChange({ ...mapping, ...change });
  return (
    <Group gap="lg" align="flex-start">
      <Policy
        label="Direction"
        options={directions}
        value={String(mapping.directed)}
        onChoose={(value) => set({ directed: value === "true" })}
      />
      {!mapping.directed && Object.values(mapping.edges).includes("type") && (
        <Policy
          label="Type of the edges that lead back"
          options={reverseTypes}
          value={String(mapping.reverseTypes)}
          onChoose={(value) => set({ reverseTypes: value === "true" })}
        />
      )}
      <Policy
        label="An edge that appears twice"
        options={duplicates}
        value={mapping.duplicates}
        onChoose={(value) => set({ duplicates: value })}
      />
      <Policy
        label="An edge from a node to itself"
        options={selfLoops}
        value={mapping.selfLoops}
        onChoose={(value) => set({ selfLoops: value })}
      />
      {Object.values(mapping.nodes).includes("label") && (
        <TextInput
          label="Several labels in a cell"
          description="The character between them; empty: one class each"
          inputWrapperOrder={["label", "input", "description"]}
          w={250}
          maxLength={8}
          value={mapping.labelSeparator ?? ""}
          onChange={(event) => set({ labelSeparator: event.currentTarget.value || null })}
        />
      )}
      {Object.values(mapping.nodes).includes("type") && (
        <TypeRuleFields rule={mapping.typeRule} onChange={(typeRule) => set({ typeRule })} />
      )}
      <RepeatedNodes mapping={mapping} onChoose={(value) => set({ repeatedIds: value })} />
      <Policy
        label="An edge with an unknown node"
        description="Its id is not in the nodes file"
        options={missingNodes}
        value={mapping.missingNodes}
        onChoose={(value) => set({ missingNodes: value })}
      />
    </Group>
  );
}

interface RepeatedNodesProps {
  readonly mapping: DatasetMapping;
  readonly onChoose: (value: DatasetMapping["repeatedIds"]) => void;
}

function RepeatedNodes({ mapping, onChoose }: RepeatedNodesProps) {
  if (!hasNodeRows(mapping)) return null;
  return (
    <Policy
      label="A node that appears twice"
      description="Rows of one id, also of files that add rows"
      options={repeatedIds}
      value={mapping.repeatedIds}
      onChoose={onChoose}
    />
  );
}

/** Where a matrix has a row for each row of the nodes, none can be replaced. */
function hasNodeRows({ uses }: DatasetMapping): boolean {
  const used = Object.values(uses);
  return used.includes("nodes") && !used.includes("features");
}

type Options<Value extends string> = Readonly<Record<Value, string>>;

const directions: Options<"false" | "true"> = { false: "Both ways (undirected)", true: "From source to destination" };
const reverseTypes: Options<"false" | "true"> = { false: "The same type", true: "A type of its own (rev_…)" };
export const duplicates: Options<DatasetMapping["duplicates"]> = {
  drop: "Keep the first",
  keep: "Keep both",
  error: "Stop with an error",
};
export const repeatedIds: Options<DatasetMapping["repeatedIds"]> = {
  error: "Stop with an error",
  last: "Keep the last row",
};
export const selfLoops: Options<DatasetMapping["selfLoops"]> = { drop: "Leave it out", keep: "Keep it" };
export const missingNodes: Options<DatasetMapping["missingNodes"]> = {
  error: "Stop with an error",
  add: "Add the node",
  drop: "Leave the edge out",
};

export interface PolicyProps<Value extends string> {
  readonly label: string;
  readonly description?: string;
  readonly options: Options<Value>;
  readonly value: string;
  readonly onChoose: (value: Value) => void;
}

export function Policy<Value extends string>({ label, description, options, value, onChoose }: PolicyProps<Value>) {
  return (
    <Select<Value>
      label={label}
      description={description}
      inputWrapperOrder={["label", "input", "description"]}
      w={250}
      allowDeselect={false}
      data={Object.entries<string>(options).map(([one, text]) => ({ value: one as Value, label: text }))}
      value={value as Value}
      onChange={(chosen) => chosen && onChoose(chosen)}
    />
  );
}
