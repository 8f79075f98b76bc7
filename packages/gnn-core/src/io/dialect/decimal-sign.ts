/** What separates the whole part of a number from the rest. */
export type DecimalSign = "." | ",";

export interface DecimalVerdict {
  readonly decimal: DecimalSign;
  readonly reason: string | null;
  readonly doubt: string | null;
}

const withComma = /^[+-]?(\d*),(\d+)([eE][+-]?\d+)?$/;
const withPoint = /^[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?$/;
/** `1,234` may be a number of thousands, `1,234,567` is one. */
const likeThousands = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/;

/**
 * Tells from the fields of a table whether its numbers have decimal commas. Numbers with a point, or what can be
 * thousands alone, leave it at the point: then a column of commas is text, and said to be that.
 *
 * The doubt is for whoever has pairs such as `3,7` in the cells; `0,5` and `-1,25` leave none.
 */
export function detectDecimalSign(fields: readonly string[]): DecimalVerdict {
  const texts = fields.map((field) => field.trim());
  const commas = texts.filter((text) => withComma.test(text));
  const isPlain = commas.every((text) => likeThousands.test(text)) || texts.some(isNoDecimal);
  if (isPlain) return { decimal: ".", reason: null, doubt: null };
  const sure = commas.find((text) => /^([+-]|0?,)/.test(text));
  if (sure !== undefined)
    return { decimal: ",", reason: `Its numbers have decimal commas, such as ${sure}.`, doubt: null };
  const [shown = ""] = commas;
  const doubt = `Commas in its numbers are read as decimal points, ${shown} as ${shown.replace(",", ".")}. If they are something else, choose the point.`;
  return { decimal: ",", reason: null, doubt };
}

/** What a table with decimal commas does not hold: numbers with a point, and lists of numbers. */
function isNoDecimal(text: string): boolean {
  return withPoint.test(text) || /^[\d.eE+-]+(,[\d.eE+-]+){2,}$/.test(text);
}

/** A number as it would be written with a point; what is no number under the sign stays none. */
export function withDecimalPoint(text: string, decimal: DecimalSign): string {
  return decimal === "." ? text : text.replaceAll(".", "_").replace(",", ".");
}

/** `withDecimalPoint` as an SQL expression over text. DuckDB's cast takes `1_5` for 15, so that is refused apart. */
export function sqlWithDecimalPoint(sql: string, decimal: DecimalSign): string {
  return decimal === "." ? sql : `replace(replace(${sql}, '.', '_'), ',', '.')`;
}
