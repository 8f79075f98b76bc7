import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateShapedGraph } from "../../packages/gnn-core/src/generate/generate-shaped-graph.ts";
import { type GraphShapeName, graphShapes, scaleShape } from "../../packages/gnn-core/src/generate/graph-shape.ts";

/**
 * A new folder with a generated graph, which the caller removes. @param shapeName what `--data` said @param scale share
 * of its nodes
 */
export async function generatedDir(shapeName: string, scale: number): Promise<string> {
  const shape = graphShapes[shapeName as GraphShapeName];
  if (!shape) throw new Error(`--data ${shapeName}: expected ${Object.keys(graphShapes).join(" or ")}.`);
  const dir = await mkdtemp(join(tmpdir(), "hopwise-graph-"));
  await generateShapedGraph(dir, scaleShape(shape, scale), { seed: 1 });
  return dir;
}
