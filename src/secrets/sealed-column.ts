/** A column of sealed secrets, in a table whose primary key is `id`. NULL and the empty text are no secrets. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The column in the place of its values, where values move from that column to this one. */
  sealedFor: string;
}
