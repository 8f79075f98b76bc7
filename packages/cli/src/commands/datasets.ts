import { type AnswerOf, datasetDrift } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { AddCommand } from "../context.ts";
import type { Output } from "../output/output.ts";
import { allDatasets, datasetRef, gathered } from "./find.ts";

type Details = AnswerOf<"GET /v1/datasets/:id">;
type Version = Details["versions"][number];

export const addDatasets: AddCommand = (program, run) => {
  program
    .command("datasets")
    .argument("[dataset]", "id or name: its versions in place of the list")
    .option("--drift [version]", "what has moved since this version, or since the one before, up to name@version")
    .description("lists the datasets, or the versions of one")
    .action(
      run(async ({ client: open, output }, dataset: string | undefined, { drift }: { drift?: string | true }) => {
        const client = await open();
        if (dataset === undefined) {
          if (drift) throw new CliError("usage", "--drift compares versions of one dataset: name it.");
          const items = await gathered(allDatasets(client));
          output.table(items, items, {
            ID: ({ id }) => id,
            NAME: ({ name }) => name,
            CREATED: ({ createdAt }) => createdAt,
          });
          return;
        }
        const [id = "", number] = (await datasetRef(client, dataset)).split("@");
        const details = await client.call("GET /v1/datasets/:id", { params: { id } });
        if (drift) {
          showDrift(output, details, {
            from: drift === true ? null : versionNumber(drift),
            to: number ? Number(number) : null,
          });
          return;
        }
        output.table(details.versions, details, {
          VERSION: ({ ref }) => ref,
          STATE: ({ state }) => state,
          NODES: ({ graph }) => String(graph?.info.numNodes ?? ""),
          EDGES: ({ graph }) => String(graph?.info.numEdges ?? ""),
          "ADDS TO": ({ addsTo }) => String(addsTo ?? ""),
          FILES: ({ sources }) => sources.map(({ name }) => name).join(", "),
        });
      }),
    );
};

/** @param asked numbers of versions; null: the newest graph, and the one before it */
function showDrift(output: Output, details: Details, asked: { from: number | null; to: number | null }): void {
  const after = graphOf(details, asked.to, () => true);
  const before = graphOf(details, asked.from, ({ number }) => number < after.number);
  const drifts = datasetDrift(before.info, after.info);
  const answer = { from: before.number, to: after.number, drifts };
  const figure = (value: number | null) => (value === null ? "" : String(Number(value.toPrecision(4))));
  output.table(drifts, answer, {
    WHAT: ({ what }) => what,
    OF: ({ kind }) => kind,
    DISTANCE: ({ distance }) => figure(distance),
    [`VERSION ${before.number}`]: (row) => figure(row.before),
    [`VERSION ${after.number}`]: (row) => figure(row.after),
  });
}

/** The version of this number, or the newest that fits, with its graph. @throws CliError */
function graphOf({ name, versions }: Details, wanted: number | null, fits: (version: Version) => boolean) {
  const version = versions.find((one) => (wanted === null ? one.graph !== null && fits(one) : one.number === wanted));
  if (version?.graph) return { number: version.number, info: version.graph.info };
  const which = wanted === null ? "no such version with a graph to compare" : `no version ${wanted} with a graph`;
  throw new CliError("notFound", `"${name}" has ${which}; hopwise datasets ${name} lists those there are.`);
}

/** @throws CliError */
function versionNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CliError("usage", `--drift: found "${text}", expected the number of a version, such as 1.`);
}
