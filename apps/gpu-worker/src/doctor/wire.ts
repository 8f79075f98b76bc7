/** What workers say to each other: the id of the check, then requests of one byte each. */
export const idBytes = 32;
/** Answered by the same byte */
export const echoRequest = 0x65;
/** Answered by `bulkBytes` bytes */
export const bulkRequest = 0x62;
export const bulkBytes = 4 * 2 ** 20;
