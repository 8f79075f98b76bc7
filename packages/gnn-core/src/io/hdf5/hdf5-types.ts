import type { Hdf5Member, Hdf5Metadata } from "./hdf5-library.ts";
import type { Hdf5Field } from "./hdf5-messages.ts";

/** The numbers by which HDF5 tells its types apart. */
export const typeClasses = { integer: 0, float: 1, text: 3, bits: 4, structure: 6, enumeration: 8, list: 10 };

/** numpy's letters for the type, in the order of bytes in which the library gives the elements. */
export function descrOf({ type, size, signed, vlen, enum_type: names }: Hdf5Metadata): string {
  const order = size === 1 ? "|" : "<";
  if (type === typeClasses.integer) return `${order}${signed ? "i" : "u"}${size}`;
  if (type === typeClasses.float) return `${order}f${size}`;
  if (type === typeClasses.enumeration && names?.type === typeClasses.integer) {
    const isBoolean = size === 1 && names.members["FALSE"] === 0 && names.members["TRUE"] === 1;
    return isBoolean ? "|b1" : `${order}${signed ? "i" : "u"}${size}`;
  }
  // PyTables keeps booleans so.
  if (type === typeClasses.bits && size === 1) return "|b1";
  if (type === typeClasses.text) return vlen ? "|O" : `|S${size}`;
  return `|V${size}`;
}

/**
 * The values of a structure. The library turns the bytes of all of its numbers where all lie there the big end first,
 * and of none where only some do.
 */
export function fieldsOf({ type, compound_type: structure }: Hdf5Metadata): readonly Hdf5Field[] | null {
  if (type !== typeClasses.structure || !structure) return null;
  const areMixed = new Set(structure.members.flatMap(orderOf)).size > 1;
  return structure.members.map((member) => {
    const one = elementOf(member);
    const isBig = areMixed && !one.littleEndian && isNumber(one);
    const descr = isBig ? descrOf(one).replace("<", ">") : descrOf(one);
    const length = member.array_type
      ? (member.array_type.shape ?? []).reduce((product, size) => product * size, 1)
      : null;
    return { name: member.name, descr, itemBytes: one.size, offset: member.offset, length };
  });
}

/** What a list is of, or the member itself */
function elementOf(member: Hdf5Member): Hdf5Metadata {
  return member.type === typeClasses.list && member.array_type ? member.array_type : member;
}

function isNumber({ type, size }: Hdf5Metadata): boolean {
  return size > 1 && [typeClasses.integer, typeClasses.float, typeClasses.enumeration].includes(type);
}

function orderOf(member: Hdf5Member): boolean[] {
  const one = elementOf(member);
  return isNumber(one) ? [one.littleEndian] : [];
}
