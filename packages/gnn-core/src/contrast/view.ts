/** How a graph is changed before a model looks at it, for tasks that learn by comparing. */
export interface View {
  /** Every node has the row of another one, drawn anew in every step */
  readonly shuffledRows: boolean;
  /** Share of the feature columns that are 0 for all nodes, drawn anew in every step */
  readonly maskedColumns: number;
  /** Share of the links that carry no message, in neither direction, drawn anew in every step */
  readonly droppedLinks: number;
}

export const unchanged: View = { shuffledRows: false, maskedColumns: 0, droppedLinks: 0 };

/** What a step's changes are a function of, beside the view's number and the GlobalId, column or link. */
export interface ViewKey {
  readonly seed: number;
  readonly epoch: number;
  readonly step: number;
}
