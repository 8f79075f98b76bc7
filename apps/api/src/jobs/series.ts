import type { Series } from "../graphql/types/progress.ts";
import type { Services } from "../services.ts";

export interface SeriesRequest {
  readonly names?: readonly string[] | null | undefined;
  readonly maxPoints?: number | null | undefined;
}

/** The measured series of a job by name; longer ones are thinned to `maxPoints`, their last point kept. */
export async function readSeries({ prisma }: Services, jobId: string, request: SeriesRequest): Promise<Series[]> {
  const maxPoints = Math.max(2, Math.min(request.maxPoints ?? 1000, 10_000));
  const names = request.names ? { name: { in: [...request.names] } } : {};
  const sizes = await prisma.metric.groupBy({
    by: ["name"],
    where: { jobId, ...names },
    _count: true,
    orderBy: { name: "asc" },
  });
  return Promise.all(
    sizes.map(async ({ name, _count }) => {
      const points = await prisma.metric.findMany({ where: { jobId, name }, orderBy: { step: "asc" } });
      const kept = thin(points, maxPoints, _count);
      return {
        name,
        axis: kept[0]?.axis ?? "step",
        steps: kept.map(({ step }) => step),
        values: kept.map(({ value }) => value),
      };
    }),
  );
}

function thin<T>(points: readonly T[], maxPoints: number, count: number): readonly T[] {
  if (count <= maxPoints) return points;
  const stride = Math.ceil((count - 1) / (maxPoints - 1));
  return points.filter((_, i) => i % stride === 0 || i === points.length - 1);
}
