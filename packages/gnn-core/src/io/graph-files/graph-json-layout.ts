const arrayOfElements = /^\s*\[\s*\{\s*"(data"\s*:\s*\{|group"\s*:\s*"(nodes|edges)")/;
const flatElements = /^\s*\{[^[]*?"elements"\s*:\s*\[/;
const nodesOrEdges = /"(nodes|links|edges)"\s*:\s*\[/;
const nodesById = [/"graphs?"\s*:\s*[[{]/, /"nodes"\s*:\s*\{/];

/** Whether JSON that begins so lists the nodes and edges of a graph, as exchange formats have it. */
export function isGraphJson(head: string): boolean {
  if (arrayOfElements.test(head)) return true;
  if (!/^\s*\{/.test(head)) return false;
  if (nodesById.every((part) => part.test(head))) return true;
  return flatElements.test(head) || /"elements"\s*:\s*\{/.test(head) || nodesOrEdges.test(head);
}

/** Where nodes and edges stand, as paths of the parser. */
export function graphJsonPaths(head: string): string[] {
  if (/^\s*\[/.test(head)) return ["$.*"];
  if (/"elements"\s*:\s*\[/.test(head)) return ["$.elements.*"];
  const parts = ["nodes.*", "links.*", "edges.*", "elements.nodes.*", "elements.edges.*", "adjacency.*", "graphs.*"];
  return ["directed", "options.type", ...parts, "graph.directed", "graph.nodes.*", "graph.edges.*"].map(
    (path) => `$.${path}`,
  );
}
