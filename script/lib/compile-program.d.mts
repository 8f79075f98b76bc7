/** Compiles a TypeScript program for plain Node, on the built engine; resolves to the path of what came out. */
export function compileProgram(source: URL): Promise<string>;
