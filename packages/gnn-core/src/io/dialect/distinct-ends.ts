/** What both ends of an edge are called in tables that have one name for them, alone or before another word. */
const nameOfEnds =
  /^(?:id|node|vertex|entity|account|user|paper|author|person|station|stop)(?:[ _-]?(?:id|number|no|name))?$/i;

/**
 * Names of columns, of which two may be one: tables of edges often call both ends `node_id` or `Account`. The second is
 * `node_id_2` then. Any other name that comes twice is left to be refused.
 */
export function withDistinctEnds(names: readonly string[]): string[] {
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  const [name] = twice;
  if (name === undefined || twice.length > 1 || !nameOfEnds.test(name)) return [...names];
  const second = `${name}_2`;
  if (names.includes(second)) return [...names];
  return names.map((other, i) => (other === name && names.indexOf(name) !== i ? second : other));
}
