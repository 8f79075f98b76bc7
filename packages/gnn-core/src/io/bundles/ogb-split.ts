const ofSplit = /^(?:(.*)\/)?(train|valid|test)\.csv(?:\.gz)?$/;

/**
 * The three lists of a split, by what they are: beside the files of a folder, or in a folder `split/<how>` beside
 * theirs. Of several such folders it is the first by name.
 *
 * @param type the type of node whose lists are wanted, which lie in a folder called after it; left out: there are
 * none
 */
export function splitOf(folder: string, names: readonly string[], type?: string): [part: string, name: string][] {
  const root = folder.replace(/(^|\/)raw$/, "");
  const found = new Map<string, [string, string][]>();
  for (const name of names.toSorted()) {
    const [, place = "", part] = ofSplit.exec(name) ?? [];
    if (part === undefined || !(place === folder || isSplitOf(root, place, type))) continue;
    found.set(place, [...(found.get(place) ?? []), [part, name]]);
  }
  return [...found.values()].find(({ length }) => length === 3) ?? [];
}

function isSplitOf(root: string, place: string, type: string | undefined): boolean {
  if (!place.startsWith(root)) return false;
  const [, inner] = /^\/?split\/[^/]+(?:\/([^/]+))?$/.exec(place.slice(root.length)) ?? [null, null];
  return inner !== null && inner === type;
}
