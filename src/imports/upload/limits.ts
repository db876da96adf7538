/** Rows of one import at most. */
export const MAX_ROWS = 1_000_000;
/** Bytes of one row at most, as of other bodies. */
export const MAX_ROW_BYTES = 256 * 1024;
/** Bytes of one import at most, decompressed. */
export const MAX_BYTES = 1024 * 1024 * 1024;
/** Columns of a CSV file at most. */
export const MAX_COLUMNS = 500;
/** Imports of a team at most that are not finished. */
export const MAX_OPEN = 10;

/**
 * A file of more than {@link EXPANSION_FROM_BYTES} must not expand more. Ordinary files compress to a tenth
 * or a fiftieth.
 */
export const MAX_EXPANSION = 200;
export const EXPANSION_FROM_BYTES = 16 * 1024 * 1024;

/** Rows of a chunk at most: one transaction of the worker stores them. */
export const CHUNK_ROWS = 150;
/** Bytes at which a chunk is full. */
export const CHUNK_BYTES = 256 * 1024;

/** Memory that one upload takes at most: a chunk, a row, and the buffers in between. */
export const UPLOAD_MEMORY = 1024 * 1024;
