import type { AddCommand } from "../context.ts";
import { askedRows } from "./asked-rows.ts";
import { type NewNodes, readNewNodes } from "./read-new-nodes.ts";

interface ExplainOptions {
  readonly dataset?: string;
  readonly nodes?: string;
  readonly class?: string;
  readonly edges: string;
  readonly features: string;
  readonly steps: string;
  readonly seed: string;
}

export const addExplain: AddCommand = (program, run) => {
  program
    .command("explain")
    .argument("<model>", "name or name@version of a kept model, or the id of a job")
    .argument("<id>", "of a node of the stored graph, or of one of --nodes")
    .option("--nodes <file>", "as predict takes them: new nodes, one of which is explained; - reads the standard input")
    .option("--dataset <dataset>", "name@version: the rows on this dataset version; left out: the newest")
    .option("--class <class>", "which class is explained; left out: the predicted one")
    .option("--edges <count>", "how many edges are told", "10")
    .option("--features <count>", "how many features are told", "10")
    .option("--steps <count>", "of learning which of them decide", "200")
    .option("--seed <seed>", "the same gives the same explanation", "0")
    .description("asks why a model gives a node its class: the edges and features that decide")
    .action(
      run(async ({ client: open, output, streams }, text: string, id: string, options: ExplainOptions) => {
        const client = await open();
        const nodes: NewNodes = options.nodes === undefined ? [] : await readNewNodes(options.nodes, streams.stdin);
        const asked = await askedRows(client, text, options.dataset);
        const count = (name: "edges" | "features" | "steps" | "seed") => Number(options[name]);
        const query = {
          id,
          nodes,
          ...(options.class !== undefined && { class: options.class }),
          edges: count("edges"),
          features: count("features"),
          steps: count("steps"),
          seed: count("seed"),
        };
        const answer =
          "job" in asked
            ? await client.call("POST /v1/jobs/:id/explain", { params: { id: asked.job }, body: query })
            : await client.call("POST /v1/models/:id/explain", {
                params: { id: asked.model },
                body: { ...query, ...asked.choice },
              });
        const rows = [
          ...answer.edges.map(({ from, to, weight, relation }) => ({
            what: `edge ${from} ${relation ? `─ ${relation} ` : ""}→ ${to}`,
            weight,
          })),
          ...answer.features.map(({ name, weight }) => ({ what: `feature ${name}`, weight })),
          { what: `probability of ${answer.class}`, weight: answer.probability },
          { what: "lost without them", weight: answer.fidelityPlus },
          { what: "lost with them alone", weight: answer.fidelityMinus },
        ];
        output.table(rows, answer, {
          what: ({ what }) => what,
          weight: ({ weight }) => String(Number(weight.toPrecision(4))),
        });
      }),
    );
};
