/** The facts that a rule used. They are stored with the call. */
export type Evidence = Record<string, string | number | boolean | null | readonly string[]>;
