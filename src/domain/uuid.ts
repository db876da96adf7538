/** A UUID of any version, in either case: ids are ours, only their shape can be wrong. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
