/** What nodes are called of which no cell says the type. */
export const unknownType = "(not known)";
