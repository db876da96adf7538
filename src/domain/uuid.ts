/** A UUID of any version, in upper or lower case. Outdial makes the ids, so only the form is checked. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
