import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Sparse matrices of MatrixMarket, as adjacency matrices. */
export const matrixMarketReader = defineReader({
  name: "matrix-market",
  version: 1,
  title: "MatrixMarket",
  summary:
    "A sparse matrix by its entries: a symmetric one has edges without a direction, a general one leads from row to column, and rows and columns of one that is not square are nodes of two kinds. Rows without an entry are nodes, too.",
  reference: "https://math.nist.gov/MatrixMarket/formats.html",
  extensions: [".mtx", ".mtx.gz", ".mtx.zst"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openCoordinates } = await import("../coordinates/open-coordinates.ts");
    const { matrixMarketFacts } = await import("../coordinates/matrix-market.ts");
    return openCoordinates(matrixMarketFacts, part, path, name, limits);
  },
});
