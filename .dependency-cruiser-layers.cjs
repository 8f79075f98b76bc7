/**
 * The rules that hold folders to an order: nothing is imported from a later line, nor from a neighbour on the same line, nor from
 * the files beside the folders.
 *
 * @param {object} order
 * @param {string} order.name  each rule is called `<name>-<folder>`
 * @param {string} order.root  a regular expression for the path of the folder that they lie in, up to its slash
 * @param {readonly (readonly string[])[]} order.layers  folders, the lowest line first
 * @param {string} order.comment
 * @param {string} [order.open]  a regular expression for files beside the folders that all may import
 * @returns {import("dependency-cruiser").IForbiddenRuleType[]}
 */
function layerRules({ name, root, layers, comment, open }) {
  const except = open === undefined ? {} : { pathNot: open };
  const rules = layers.flatMap((line, i) =>
    line.map((folder) => {
      const closed = [...line, ...layers.slice(i + 1).flat()].filter((other) => other !== folder);
      return {
        name: `${name}-${folder}`,
        comment,
        severity: "error",
        from: { path: `${root}${folder}/` },
        to: { path: `${root}(${["[^/]+\\.[jt]s$", ...closed.map((other) => `${other}/`)].join("|")})`, ...except },
      };
    }),
  );
  const unknown = {
    name: `${name.replace(/-layers$/, "")}-folders-have-a-layer`,
    comment: "A new folder says where in the order it stands.",
    severity: "error",
    from: { path: `${root}(?!(${layers.flat().join("|")})/)[^/]+/` },
    to: {},
  };
  return [...rules, unknown];
}

module.exports = { layerRules };
