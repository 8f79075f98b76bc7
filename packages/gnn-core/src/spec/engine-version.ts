/** Written into every manifest and part of every reuse key: raised with each release of the engine. */
export const engineVersion = "0.1.0";
