/**
 * SQL: when the engine first decides an enrollment: now, or null if its version places no calls and has no
 * lifetime. The statement has a relation `clock` with `now`.
 *
 * @param version SQL for the version's id.
 */
export function firstLook(version: string): string {
  return `(SELECT clock.now FROM campaign_versions v
        WHERE v.id = ${version} AND v.definition_format IS NOT NULL
          AND (v.definition #> '{steps,0}' IS NOT NULL OR v.definition #>> '{caps,lifetime}' IS NOT NULL))`;
}
