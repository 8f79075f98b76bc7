import { SaxesParser } from "saxes";
import { graphFileDamaged } from "./open-graph-file.ts";

/** An element that has begun; its name is without prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly parent: XmlElement | null;
  /** The text directly in it, complete when it ends; of elements alone whose text the handler wants. */
  text: string;
}

export interface XmlHandler {
  readonly withText: ReadonlySet<string>;
  begin(element: XmlElement): void;
  end(element: XmlElement): void;
}

/** Deeper files of graphs have not been seen, and each open element is held. */
const maxDepth = 256;

/**
 * Tells the handler of each element's beginning and end, piece by piece: after a piece of text its elements have been
 * told. Entities are those of XML itself; what a DOCTYPE declares is not read.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when the text is not well-formed
 */
export async function* readXml(text: AsyncIterable<string>, file: string, handler: XmlHandler): AsyncIterable<void> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let open: XmlElement | null = null;
  let depth = 0;
  parser.on("error", ({ message }) => {
    const what = message.replace(/^\d+:\d+: /, "");
    throw graphFileDamaged(file, parser.line, `this is not well-formed XML (${what}). Write the file again.`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (++depth > maxDepth) throw graphFileDamaged(file, parser.line, `elements lie more than ${maxDepth} deep.`);
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
    handler.end(ended);
  });
  for await (const piece of text) {
    parser.write(piece);
    yield;
  }
  parser.close();
  yield;
}

const local = (name: string) => name.slice(name.indexOf(":") + 1);
