/** The id of the element that hears when the page is out of date. */
const EAR = 'live';

/**
 * The attributes of the element that is connected while the page is open and seen; without a script, the page is
 * renewed by a reload. @param base of the addresses of the page's scope.
 */
export const hearsChanges = (base: string) => ({
  id: EAR,
  'hx-sse:connect': `${base}/live`,
  'hx-sse:close': 'ended',
  // An answer that is no stream, such as the sign-in page, is not shown in its place.
  'hx-swap': 'none',
});

/** The attributes of a part that is renewed when the page is out of date. @param self the address of the page. */
export const renewed = (id: string, self: string) => ({
  id,
  'hx-get': self,
  'hx-trigger': `changed from:#${EAR}`,
  'hx-select': `#${id}`,
  'hx-target': 'this',
  'hx-swap': 'outerMorph',
});

/**
 * The attributes of a part that is asked for again while it is on the page, such as the progress of a job. The answer
 * without these attributes ends it.
 */
export const polled = (id: string, self: string, seconds: number) => ({
  'hx-get': self,
  'hx-trigger': `every ${seconds}s`,
  'hx-select': `#${id}`,
  'hx-target': 'this',
  'hx-swap': 'outerHTML',
});
