/** `schema.table` as a user writes it; without a point, a table of the schema that is taken if none is said. */
export function tableOfText(text: string): { readonly schema?: string; readonly table: string } {
  const point = text.indexOf(".");
  return point < 0 ? { table: text } : { schema: text.slice(0, point), table: text.slice(point + 1) };
}

/** `id=paper, embedding=vec` as other names by those of the export; a piece without `=` names nothing. */
export function columnsOfText(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((piece) => {
      const [, from = "", to = ""] = /^([^=]+)=(.*)$/.exec(piece.trim()) ?? [];
      return from.trim() === "" ? [] : [[from.trim(), to.trim()]];
    }),
  );
}
