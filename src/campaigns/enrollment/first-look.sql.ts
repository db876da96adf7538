/** SQL condition: the version `v` has a definition by which the engine decides. */
const IS_READ = 'v.definition_format IS NOT NULL';
/** SQL condition: the version `v` places calls. */
export const HAS_STEPS = `coalesce(${IS_READ} AND v.definition #> '{steps,0}' IS NOT NULL, false)`;

/**
 * SQL: when the engine first decides an enrollment on the version `v`: now, or null if the version places no
 * calls and has no lifetime. The statement has a relation `clock` with `now`.
 */
export const FIRST_LOOK = `CASE WHEN ${HAS_STEPS} OR ${IS_READ} AND v.definition #>> '{caps,lifetime}' IS NOT NULL THEN clock.now END`;

/** SQL: what an enrollment on the version `v` waits for at first. Null: the engine decides it at once. */
export const FIRST_WAIT = `CASE WHEN NOT ${HAS_STEPS} THEN 'no_steps' END`;
