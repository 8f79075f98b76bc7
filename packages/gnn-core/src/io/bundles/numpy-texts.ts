import type { ArchiveMember } from "../archives/archive.ts";
import { npyLength, parseForeignNpyHeader } from "../npy-header.ts";
import type { NamedArrays } from "./numpy-arrays.ts";

const nodeNames = ["node_names", "node_name", "node_ids", "node_id"];
const classNames = ["class_names", "class_name", "label_names", "classes"];
/** Bytes of texts that are held at most */
const mostBytes = 2 ** 28;

/** A name for each node, in place of its number; null: there is none. What is called so and is none is left out. */
export async function nodeNamesOf(arrays: NamedArrays, numNodes: number, notes: string[]): Promise<string[] | null> {
  const name = nodeNames.find((one) => arrays.names.includes(one));
  if (name === undefined) return null;
  const texts = await textsOf(arrays.memberOf(name));
  const objection = texts ? objectionTo(texts, numNodes) : "it holds no texts of numpy";
  if (objection === null) return texts;
  notes.push(`the array ${name} is left out, and nodes go by their numbers: ${objection}.`);
  return null;
}

/** The name of each class, by the number that labels give it; null: there is none for every label. */
export async function classNamesOf(arrays: NamedArrays, labels: Float64Array, notes: string[]) {
  const name = classNames.find((one) => arrays.names.includes(one));
  if (name === undefined) return null;
  const texts = await textsOf(arrays.memberOf(name));
  const isNamed = (label: number) => Number.isNaN(label) || texts?.[label] !== undefined;
  const objection = !texts
    ? "it holds no texts of numpy"
    : (objectionTo(texts, texts.length) ?? (labels.every(isNamed) ? null : "it has no name for some label"));
  if (objection === null) return texts;
  notes.push(`the array ${name} is left out, and classes go by their numbers: ${objection}.`);
  return null;
}

/** A text as a field of a table of ours. */
export function asField(text: string): string {
  return /[",#\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Why texts do not name so many things, as a clause; null: they do. */
export function objectionTo(texts: readonly string[], count: number): string | null {
  if (texts.length !== count) return `it has ${texts.length} texts for ${count}`;
  const at = texts.findIndex((text) => text.trim() === "" || /["\r\n]/.test(text));
  if (at >= 0) return `text ${at} is empty, or has a quote or a line break in it`;
  return new Set(texts).size === texts.length ? null : "some of its texts are alike";
}

/** The texts of an array of numpy's types U and S, of one dimension; null: it is of another type, or too large. */
async function textsOf(member: ArchiveMember): Promise<string[] | null> {
  if (member.bytes > mostBytes) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of member.read()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const { descr, shape, dataOffset } = parseForeignNpyHeader(bytes, member.name);
  const [, order, kind, width] = /^([<>|=]?)([US])(\d+)$/.exec(descr) ?? [];
  if (kind === undefined || shape.length !== 1) return null;
  const itemBytes = Number(width) * (kind === "U" ? 4 : 1);
  const count = npyLength(shape);
  if (dataOffset + count * itemBytes > bytes.length) return null;
  return Array.from({ length: count }, (_, i) => {
    const item = bytes.subarray(dataOffset + i * itemBytes, dataOffset + (i + 1) * itemBytes);
    return kind === "U" ? textOfCodes(item, order === ">") : new TextDecoder().decode(item).replace(/\0+$/, "");
  });
}

/** UTF-32; what is no character becomes the sign for such. */
function textOfCodes(item: Buffer, isBig: boolean): string {
  let text = "";
  for (let at = 0; at < item.length; at += 4) {
    const code = isBig ? item.readUInt32BE(at) : item.readUInt32LE(at);
    if (code === 0) break;
    text += code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "\ufffd" : String.fromCodePoint(code);
  }
  return text;
}
