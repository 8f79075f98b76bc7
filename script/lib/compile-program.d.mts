/** Compiles a TypeScript program for plain Node, on the built engine; resolves to the path of what came out. */
export function compileProgram(source: URL, options?: { alias?: Record<string, string> }): Promise<string>;
/** Compiles in a process of its own, so that the compiler's memory is not the caller's. */
export function compileProgramApart(source: URL): Promise<string>;
