/** Makes a graph of ogbn-products' shape, in the emulation a tiny one, that the programs behind it map. */
import { generateShapedGraph } from "../../../packages/gnn-core/src/generate/generate-shaped-graph.ts";
import { graphShapes, scaleShape } from "../../../packages/gnn-core/src/generate/graph-shape.ts";
import { graphDir, isSmall, rounded, tell } from "./arguments.ts";

const shape = scaleShape(graphShapes["products-shaped"], isSmall ? 0.0003 : 1);
const startedAt = performance.now();
const { numEdges } = await generateShapedGraph(graphDir, shape, { seed: 1, memoryBytes: 8 * 2 ** 30 });
tell({ numNodes: shape.numNodes, numEdges, seconds: rounded((performance.now() - startedAt) / 1000) });
