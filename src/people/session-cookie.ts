/** The cookie that holds the token of a session. */
export const SESSION_COOKIE = 'outdial_session';
