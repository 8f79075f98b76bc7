/** What tables write where the class of a node or graph is not known. */
export const usualMissingLabels = ["nan", "NaN", "NA", "N/A", "<NA>", "null", "NULL", "None"];
