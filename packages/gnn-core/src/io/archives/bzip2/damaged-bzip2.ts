/** What is wrong with bytes that were packed with bzip2. */
export class DamagedBzip2 extends Error {}
