/** Where artifacts of graphs keep the rows of edges that have something to be predicted */
export const edgeRowsFolder = "edge-rows";
