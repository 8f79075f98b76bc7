import { Group } from "@mantine/core";
import type { DatasetMapping } from "../../services/dataset-mapping.ts";
import { Panel } from "../Panel/Panel.tsx";
import { duplicates, missingNodes, Policy, repeatedIds, selfLoops } from "./Policies.tsx";

type Rules = Pick<DatasetMapping, "duplicates" | "selfLoops" | "missingNodes">;
type RepeatedIds = DatasetMapping["repeatedIds"];
/** Where nodes have tables of their own, none is added. */
const { add: _, ...rulesForMissing } = missingNodes;

interface RowRulesProps {
  readonly rules: Rules;
  /** What rows become */
  readonly made: "a graph" | "graphs";
  /** What an unknown node is not in */
  readonly known: string;
  /** null: no row of nodes can be replaced */
  readonly repeated: RepeatedIds | null;
  readonly onRepeated: (chosen: RepeatedIds) => void;
  readonly onChange: (change: Partial<Rules & { readonly missingNodes: "error" | "drop" }>) => void;
}

/** What becomes of rows that one may see in two ways, where each kind of row has a table of its own. */
export function RowRules({ rules, made, known, repeated, onRepeated, onChange }: RowRulesProps) {
  const help = `How rows become ${made}. Nothing is dropped in silence: the dataset's page counts it.`;
  return (
    <Panel title="Rules" help={help}>
      <Group gap="lg" align="flex-start">
        <Policy
          label="An edge that appears twice"
          options={duplicates}
          value={rules.duplicates}
          onChoose={(value) => onChange({ duplicates: value })}
        />
        <Policy
          label="An edge from a node to itself"
          options={selfLoops}
          value={rules.selfLoops}
          onChoose={(value) => onChange({ selfLoops: value })}
        />
        <Policy
          label="An edge with an unknown node"
          description={`Its id is not in ${known}`}
          options={rulesForMissing}
          value={rules.missingNodes === "drop" ? "drop" : "error"}
          onChoose={(value) => onChange({ missingNodes: value })}
        />
        {repeated && (
          <Policy
            label="A node that appears twice"
            description="Rows of one id, also of files that add rows"
            options={repeatedIds}
            value={repeated}
            onChoose={onRepeated}
          />
        )}
      </Group>
    </Panel>
  );
}
