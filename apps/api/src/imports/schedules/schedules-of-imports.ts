import type { Services } from "../../services.ts";
import type { ImportWithFiles } from "../import-queries.ts";
import { isOfSource, sourceKeyOf } from "../same-source.ts";

/**
 * The schedule that fetches from an import's addresses into its dataset, of each import: whichever import it was made
 * of, for a dataset has one schedule for the same addresses. null: there is none, or nobody can read the addresses any
 * more.
 */
export async function schedulesOfImports(
  services: Services,
  imports: readonly ImportWithFiles[],
): Promise<readonly (string | null)[]> {
  const datasets = [...new Set(imports.map(({ datasetId }) => datasetId))];
  const schedules = await services.prisma.importSchedule.findMany({ where: { datasetId: { in: datasets } } });
  if (schedules.length === 0) return imports.map(() => null);
  const repeated = await services.prisma.import.findMany({
    where: { id: { in: schedules.map(({ importId }) => importId) } },
    include: { files: { orderBy: { index: "asc" } } },
  });
  return imports.map((one) => {
    const source = readableKeyOf(services, one);
    const isFetched = (other: ImportWithFiles) =>
      source !== null && other.datasetId === one.datasetId && isOfSource(services, other, source);
    const same = new Set(repeated.filter(isFetched).map(({ id }) => id));
    return schedules.find(({ importId }) => same.has(importId))?.id ?? null;
  });
}

function readableKeyOf(services: Services, one: ImportWithFiles): string | null {
  try {
    return sourceKeyOf(services, one);
  } catch {
    return null;
  }
}
