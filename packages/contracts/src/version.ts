/** Raised when a queue message, event or announcement changes shape; workers of another version get no work. */
export const contractVersion = 6;
