/*
 * What calls, enrollments and events show of other rows. It is read with each answer and not copied: a contact can
 * get another external id, and an erasure need not look for copies.
 */

/** SQL: the external id of a contact; null: it has none, or was erased. @param contact SQL for its id. */
export function externalIdOf(contact: string): string {
  return `(SELECT x.external_id FROM contacts x WHERE x.id = ${contact})`;
}

/** SQL: the campaign of an enrollment. @param enrollment SQL for its id. */
export function campaignOf(enrollment: string): string {
  return `(SELECT x.campaign_id FROM enrollments x WHERE x.id = ${enrollment})`;
}
