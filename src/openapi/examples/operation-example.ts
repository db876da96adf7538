/**
 * A value of JSON. A text that is `$` and the name of a variable, such as `$AGENT_ID`, stands for the
 * variable.
 */
export type ExampleValue =
  string | number | boolean | null | readonly ExampleValue[] | { readonly [key: string]: ExampleValue };

/**
 * The request that the page shows for an operation. Its route, credentials and headers come from the
 * document.
 */
export interface OperationExample {
  /** Variables of path parameters, if they differ from those of {@link PATH_VARIABLES}. */
  path?: Readonly<Record<string, string>>;
  /** A list is sent with commas between its values. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  body?: ExampleValue;
  /** A body that is not JSON. */
  file?: { readonly type: string; readonly text: string };
  /** The name of the file in which curl stores the answer. */
  saveAs?: string;
}

/** The variable for each path parameter. */
export const PATH_VARIABLES: Readonly<Record<string, string>> = {
  agentId: '$AGENT_ID',
  callRequestId: '$CALL_REQUEST_ID',
  campaignId: '$CAMPAIGN_ID',
  contactId: '$CONTACT_ID',
  externalId: '$EXTERNAL_ID',
  enrollmentId: '$ENROLLMENT_ID',
  importId: '$IMPORT_ID',
  phoneNumber: '$PHONE_NUMBER',
  teamId: '$TEAM_ID',
  versionId: '$VERSION_ID',
};

/** The name of the variable that a value stands for, or null. */
export function variableOf(value: unknown): string | null {
  return typeof value === 'string' ? (/^\$([A-Z][A-Z_]*)$/.exec(value)?.[1] ?? null) : null;
}

/** The variables in a value, at every depth, in the order of their appearance. */
export function variablesOf(value: unknown): string[] {
  const own = variableOf(value);
  if (own !== null) return [own];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(variablesOf) : [];
}
