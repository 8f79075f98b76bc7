import { AppError, type DatasetSpec, datasetSpec, schemaIssue } from "@hopwise/contracts";
import { idListsOf, type NodesSection } from "@hopwise/gnn-core/spec";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { requireAddedFiles } from "./added-version.ts";
import { closeFiles } from "./close-files.ts";
import { getVersion } from "./dataset-service.ts";
import { isUploaded } from "./is-uploaded.ts";
import { submitIngest } from "./submit-ingest.ts";

/**
 * Confirms how the files become a graph and queues the ingest.
 *
 * @param reference  a dataset id, `id@version`, or a version's id
 * @throws AppError SPEC_INVALID with the JSON pointer, DATASET_FILE_MISSING, REQUEST_CONFLICT
 */
export async function confirmSpec(
  services: Services,
  viewer: Viewer,
  reference: string,
  input: unknown,
  requestId?: string,
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const version = await getVersion(services, viewer, reference);
  const parsed = datasetSpec.safeParse(input);
  if (!parsed.success) {
    const { pointer, message } = schemaIssue(parsed.error);
    throw new AppError("SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
  }
  const named = namedFiles(parsed.data);
  await requireFiles(services, version.id, named);
  await requireAddedFiles(
    services,
    version,
    named.map(({ file }) => file),
  );
  await closeFiles(services, viewer, version.id);
  return submitIngest(services, viewer, version.id, parsed.data, { requestId });
}

function namedFiles(spec: DatasetSpec): NamedFile[] {
  return [
    ...(spec.edges ? filesOf(spec.edges, "/edges") : []),
    ...(spec.nodes ? nodeFilesOf(spec.nodes, "/nodes") : []),
    ...(spec.relations ?? []).flatMap((relation, i) => filesOf(relation, `/relations/${i}`)),
    ...Object.entries(spec.nodeTypes ?? {}).flatMap(([type, nodes]) =>
      nodeFilesOf(nodes, `/nodeTypes/${escaped(type)}`),
    ),
    ...graphFilesOf(spec),
  ];
}

async function requireFiles({ prisma }: Services, versionId: string, named: readonly NamedFile[]): Promise<void> {
  const sources = await prisma.sourceFile.findMany({ where: { versionId }, select: { name: true } });
  const uploaded = new Set(sources.map(({ name }) => name));
  for (const { file, pointer } of named) {
    if (isUploaded(uploaded, file)) continue;
    const there = uploaded.size === 0 ? "none are uploaded yet" : `uploaded are ${[...uploaded].join(", ")}`;
    throw new AppError("DATASET_FILE_MISSING", `The spec names the file "${file}"; ${there}.`, {
      place: { file, pointer },
    });
  }
}

interface NamedFile {
  readonly file: string;
  readonly pointer: string;
}

function filesOf({ files }: { readonly files: readonly string[] }, pointer: string): NamedFile[] {
  return files.map((file, i) => ({ file, pointer: `${pointer}/files/${i}` }));
}

function nodeFilesOf(nodes: NodesSection, pointer: string): NamedFile[] {
  const { features, labelFile, join = [] } = nodes;
  const matrix = features && "file" in features ? [{ file: features.file, pointer: `${pointer}/features/file` }] : [];
  const labels = labelFile ? filesOf(labelFile, `${pointer}/labelFile`) : [];
  const joined = join.flatMap((table, i) => filesOf(table, `${pointer}/join/${i}`));
  const lists = idListsOf(nodes).flatMap(([side, list]) => filesOf(list, `${pointer}/splitFiles/${side}`));
  return [...filesOf(nodes, pointer), ...matrix, ...labels, ...joined, ...lists];
}

/** Files of a set of graphs */
function graphFilesOf({ graphs, tu }: DatasetSpec): NamedFile[] {
  const foldFile = (graphs ?? tu)?.foldFile;
  const single = Object.entries(tu ?? {}).flatMap(([field, file]) =>
    typeof file === "string" ? [{ file, pointer: `/tu/${field}` }] : [],
  );
  return [
    ...(graphs ? filesOf(graphs, "/graphs") : []),
    ...single,
    ...(foldFile ? filesOf(foldFile, `/${graphs ? "graphs" : "tu"}/foldFile`) : []),
  ];
}

/** A key as a part of a JSON pointer (RFC 6901); names of types have no slash. */
function escaped(key: string): string {
  return key.replaceAll("~", "~0");
}
