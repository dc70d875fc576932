/** Version of NexDyn, as in the package file (checked by a test). */
export const VERSION: string = '0.1.0';
