/** The refusal of a contact that is in the campaign, or was in it and may not enter again (contract 4.3). */
export const ALREADY_ENROLLED = 'Contact is already enrolled in this campaign';
export const NOT_ACTIVE = 'The campaign is not active';
/** The refusal of an import. An import can load a campaign that is not active yet. */
export const ARCHIVED = 'The campaign is archived';
