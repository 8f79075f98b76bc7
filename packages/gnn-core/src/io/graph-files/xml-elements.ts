import { SaxesParser } from "saxes";
import { damagedGraphFile } from "./damaged-graph-file.ts";
import { type GraphRecord, graphRecord } from "./graph-record.ts";

/** An element that has begun; its name is without prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly parent: XmlElement | null;
  /** The text directly in it, complete when it ends; of elements alone whose text the handler wants. */
  text: string;
}

export interface XmlHandler<R = GraphRecord> {
  readonly withText: ReadonlySet<string>;
  begin(element: XmlElement): void;
  /** @returns what the element was: of a graph a node or an edge, of a workbook a row */
  end(element: XmlElement): R | null;
}

/** A node or an edge by its attributes. @throws GnnError DATASET_FORMAT_INVALID when an end is missing */
export function recordOfElement(
  element: XmlElement,
  file: string,
  values: Iterable<readonly [name: string, value: string]>,
  directed?: boolean,
): GraphRecord {
  const { name, attributes, line } = element;
  const part = name === "node" ? "nodes" : "edges";
  const ends = (part === "nodes" ? ["id"] : ["source", "target"]).map((end) => {
    const found = attributes[end];
    if (found) return found;
    throw damagedGraphFile(file, line, `<${name}> has no attribute "${end}".`);
  });
  return graphRecord(part, line, ends, values, directed);
}

/** Deeper files of graphs have not been seen, and each open element is held. */
const maxDepth = 256;

/**
 * Tells the handler of each element's beginning and end, and gives the records that it makes of them. Entities are
 * those of XML itself; what a DOCTYPE declares is not read.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when the text is not well-formed
 */
export async function* readXml<R>(text: AsyncIterable<string>, file: string, handler: XmlHandler<R>): AsyncIterable<R> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let open: XmlElement | null = null;
  let depth = 0;
  let records: R[] = [];
  parser.on("error", ({ message }) => {
    const what = message.replace(/^\d+:\d+: /, "");
    throw damagedGraphFile(file, parser.line, `this is not well-formed XML (${what}). Write the file again.`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (++depth > maxDepth) throw damagedGraphFile(file, parser.line, `elements lie more than ${maxDepth} deep.`);
    open = { name: local(name), attributes, line: parser.line, parent: open, text: "" };
    handler.begin(open);
  });
  const add = (piece: string) => {
    if (open && handler.withText.has(open.name)) open.text += piece;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => {
    depth--;
    const ended = open!;
    open = ended.parent;
    const record = handler.end(ended);
    if (record) records.push(record);
  });
  for await (const piece of text) {
    records = [];
    parser.write(piece);
    yield* records;
  }
  parser.close();
}

const local = (name: string) => name.slice(name.indexOf(":") + 1);
