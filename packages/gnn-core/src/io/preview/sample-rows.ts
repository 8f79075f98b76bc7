/** Rows that the preview looks at of each file */
export const sampleRows = 100;
