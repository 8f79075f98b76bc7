import type { ZipMember } from "../archives/open-zip.ts";
import { npyLength, parseForeignNpyHeader } from "../npy-header.ts";
import { numberType } from "../npy-numbers.ts";
import { invalid } from "./ogb-rows.ts";

const headBytes = 65_536;

/** An array in an archive of numpy, which is read piece by piece. */
export class NpyMember {
  readonly shape: readonly number[];
  /** How many numbers it holds */
  readonly length: number;
  readonly #member: ZipMember;
  readonly #file: string;
  readonly #dataOffset: number;
  readonly #type: ReturnType<typeof numberType>;

  private constructor(member: ZipMember, file: string, head: Uint8Array) {
    const { descr, shape, dataOffset } = parseForeignNpyHeader(head, `${file}/${member.name}`);
    this.shape = shape;
    this.length = npyLength(shape);
    this.#member = member;
    this.#file = file;
    this.#dataOffset = dataOffset;
    this.#type = numberType(descr, `${file}/${member.name}`);
  }

  /** @throws GnnError DATASET_FORMAT_INVALID for anything but an array of real numbers in C order */
  static async open(member: ZipMember, file: string): Promise<NpyMember> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of member.read()) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= headBytes) break;
    }
    return new NpyMember(member, file, Buffer.concat(chunks).subarray(0, headBytes));
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
    throw invalid(this.#file, `${this.#member.name} ends before its last number`);
  }
}
