import type { XmlElement } from "../graph-files/xml-elements.ts";
import { overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import { recordsOfPart, type Workbook } from "./workbook.ts";

/** What a text costs beside its characters, roughly. */
export const bytesOfText = 32;

/** The texts that cells refer to by number. @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED */
export async function sharedStringsOf({ sharedStrings, name }: Workbook, limits: ReadingLimits): Promise<string[]> {
  if (sharedStrings === null) return [];
  const texts: string[] = [];
  let text = "";
  let bytes = 0;
  const found = recordsOfPart(sharedStrings, name, {
    withText: new Set(["t"]),
    begin: (element) => {
      if (element.name === "si") text = "";
    },
    end: (element) => {
      if (isText(element)) text += element.text;
      return element.name === "si" ? text : null;
    },
  });
  for await (const one of found) {
    const unescaped = unescapedText(one);
    texts.push(unescaped);
    bytes += bytesOfText + 2 * unescaped.length;
    if (bytes > limits.memoryBytes.most)
      throw overLimit(name, "its texts need more bytes of memory than they may have", limits.memoryBytes);
  }
  return texts;
}

/** A run of text; what says how Japanese is pronounced is none of it. */
export function isText({ name, parent }: XmlElement): boolean {
  return name === "t" && parent?.name !== "rPh";
}

/** Characters that XML cannot hold are written `_x000D_`. */
export function unescapedText(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
