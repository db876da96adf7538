/** The most rows of one import of contacts, or of consents. */
export const MAX_ROWS = 1_000_000;
/** The most rows of one import of numbers that are not to be called. */
export const MAX_SUPPRESSIONS = 10_000_000;
/** The most bytes of one row, the same limit as for a body. */
export const MAX_ROW_BYTES = 256 * 1024;
/** The most bytes of one import, decompressed. */
export const MAX_BYTES = 1024 * 1024 * 1024;
/** The most columns of a CSV file. */
export const MAX_COLUMNS = 500;
/** The most imports of a team that have not ended. */
export const MAX_OPEN = 10;

/**
 * The most decompressed bytes for each compressed byte. The limit applies beyond {@link EXPANSION_FROM_BYTES}
 * decompressed bytes. Ordinary files compress to between a tenth and a fiftieth.
 */
export const MAX_EXPANSION = 200;
export const EXPANSION_FROM_BYTES = 16 * 1024 * 1024;

/** The most rows of a chunk. Usually one transaction of the worker stores the contacts of a whole chunk. */
export const CHUNK_ROWS = 150;
/** A chunk that reaches this size, in bytes, is full. With its last row, a chunk can exceed this size. */
export const CHUNK_BYTES = 256 * 1024;

/** The most memory that one upload takes, in bytes: a chunk, a row, and the buffers in between. */
export const UPLOAD_MEMORY = 1024 * 1024;
