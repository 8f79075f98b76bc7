type Side = "val" | "test";

/** Where a `graph` artifact says which side each of its edges is on, if the dataset names sides */
export const edgeSidesFile = "edges/split.npy";
/** Where it has the pairs without a link that held-out links of a side are judged against */
export const heldOutPairsFile = (side: Side) => `edges/${side}-negatives.npy`;
/** Where it has the type of each of these pairs, if edges have types */
export const heldOutTypesFile = (side: Side) => `edges/${side}-negatives-type.npy`;
