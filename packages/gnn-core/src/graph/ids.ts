declare const brand: unique symbol;
type Branded<T, B extends string> = T & { readonly [brand]: B };

/** The user's own id: text in JSON, int64 on disk only when every id is canonical decimal. */
export type OriginalId = Branded<string, "OriginalId">;
/** Row of a node after ingest. */
export type NodeIndex = Branded<number, "NodeIndex">;
/** Row of a node after relabelling: contiguous per part. */
export type GlobalId = Branded<number, "GlobalId">;
/** Row inside one part: inner nodes first, then halo. */
export type LocalId = Branded<number, "LocalId">;
/** Row inside one block; dst nodes are the first `numDst`. */
export type BlockId = Branded<number, "BlockId">;
/** Position of an edge in the in-edge CSC order of the ingested graph. */
export type EdgeId = Branded<number, "EdgeId">;
