export { planted } from "../graph/csc-graph.js";
