/**
 * The classes and functions that arrays, sparse matrices and dicts of numpy, scipy and Python's library are made by, by
 * all names that they have had, and the one that we call them by. A pickle that names any other is refused.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  reconstructArray: ["numpy.core.multiarray._reconstruct", "numpy._core.multiarray._reconstruct"],
  ndarray: ["numpy.ndarray"],
  dtype: ["numpy.dtype"],
  arrayFromBuffer: ["numpy.core.numeric._frombuffer", "numpy._core.numeric._frombuffer"],
  scalar: ["numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar"],
  csr: ["scipy.sparse.csr.csr_matrix", "scipy.sparse._csr.csr_matrix", "scipy.sparse._csr.csr_array"],
  defaultdict: ["collections.defaultdict"],
  orderedDict: ["collections.OrderedDict"],
  list: ["__builtin__.list", "builtins.list"],
  object: ["__builtin__.object", "builtins.object"],
  reconstruct: ["copy_reg._reconstructor", "copyreg._reconstructor"],
  newObject: ["copyreg.__newobj__", "copy_reg.__newobj__"],
  encode: ["_codecs.encode"],
};

const ourNames = new Map(Object.entries(known).flatMap(([ours, names]) => names.map((name) => [name, ours] as const)));

/** Undefined: it is none that is known to be harmless. */
export function knownGlobal(name: string): string | undefined {
  return ourNames.get(name);
}
