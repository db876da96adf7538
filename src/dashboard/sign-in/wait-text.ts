/**
 * Why a password or a code was not looked at. @param what was typed, which is refused meanwhile also if it is right;
 * null: nothing that could be right.
 */
export function waitText(seconds: number, what: 'password' | 'answer' | null = 'password'): string {
  const wait = `Too many tries. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return what === null ? `${wait}.` : `${wait}; until then the right ${what} is refused, too.`;
}
