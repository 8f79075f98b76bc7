/** How long a browser test waits for what a job, or a busy machine, has to bring. */
export const patience = { timeout: 90_000 };
