import { GnnError } from "../../errors/gnn-error.ts";
import type { ArchiveMember } from "../archives/archive.ts";
import { npyLength, parseForeignNpyHeader } from "../npy-header.ts";
import { numberType } from "../npy-numbers.ts";

const headBytes = 65_536;

/** An array in an archive of numpy, which is read piece by piece. */
export class NpyMember {
  /** The shape; in Fortran order that of the transpose, whose rows lie one after another */
  readonly shape: readonly number[];
  readonly isTransposed: boolean;
  /** How many numbers it holds */
  readonly length: number;
  readonly #member: ArchiveMember;
  readonly #file: string;
  readonly #dataOffset: number;
  readonly #type: ReturnType<typeof numberType>;

  private constructor(member: ArchiveMember, file: string, head: Uint8Array) {
    const { descr, shape, isFortran, dataOffset } = parseForeignNpyHeader(head, `${file}/${member.name}`);
    this.shape = isFortran ? shape.toReversed() : shape;
    this.isTransposed = isFortran;
    this.length = npyLength(shape);
    this.#member = member;
    this.#file = file;
    this.#dataOffset = dataOffset;
    this.#type = numberType(descr, `${file}/${member.name}`);
  }

  /** @throws GnnError DATASET_FORMAT_INVALID for anything but an array of real numbers */
  static async open(member: ArchiveMember, file: string): Promise<NpyMember> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of member.read()) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= headBytes) break;
    }
    const array = new NpyMember(member, file, Buffer.concat(chunks).subarray(0, headBytes));
    // Whoever holds all numbers makes room for as many as the header says.
    if (array.#dataOffset + array.length * array.#type.bytes > member.bytes) throw endsEarly(file, member);
    return array;
  }

  /** The shape as numpy tells it */
  get shapeText(): string {
    return `(${(this.isTransposed ? this.shape.toReversed() : this.shape).join(", ")})`;
  }

  /** The numbers [first, first + count). @throws GnnError DATASET_FORMAT_INVALID when the array ends before */
  async *pieces(first: number, count: number): AsyncGenerator<ArrayLike<number>, undefined> {
    const { bytes: width, read } = this.#type;
    let skip = this.#dataOffset + first * width;
    let left = count;
    let rest = new Uint8Array(0);
    if (left === 0) return;
    for await (const chunk of this.#member.read()) {
      const from = Math.min(skip, chunk.length);
      skip -= from;
      const bytes = Buffer.concat([rest, chunk.subarray(from)]);
      const whole = Math.min(Math.floor(bytes.length / width), left);
      rest = new Uint8Array(bytes.subarray(whole * width));
      if (whole === 0) continue;
      yield read(new Uint8Array(bytes.subarray(0, whole * width)).buffer);
      left -= whole;
      if (left === 0) return;
    }
    throw endsEarly(this.#file, this.#member);
  }
}

function endsEarly(file: string, { name }: ArchiveMember): GnnError {
  const message = `${file}: ${name} ends before its last number. Upload it again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
