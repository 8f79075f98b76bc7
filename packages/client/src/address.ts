/** The parts of an address that a call names. */
export interface Address {
  readonly params?: object;
  readonly query?: object;
}

type Value = string | number | boolean | undefined;

/** `"GET /v1/jobs/:id"` as method and path. */
export function methodAndPath(operation: string): [method: string, path: string] {
  const space = operation.indexOf(" ");
  return [operation.slice(0, space), operation.slice(space + 1)];
}

/**
 * The address of a call: each `:name` of the path filled in, the query behind it without what is undefined.
 *
 * @throws TypeError when a parameter is missing: sent without it, the call would mean another route
 */
export function addressOf(path: string, { params = {}, query = {} }: Address): string {
  const given = new Map<string, Value>(Object.entries(params));
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = given.get(name);
    if (value === undefined || value === "") throw new TypeError(`${path} is called without its parameter "${name}".`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries<Value>({ ...query })) {
    if (value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
