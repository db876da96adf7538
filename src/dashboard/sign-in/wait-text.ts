/** Why a password or a code was not looked at. @param what was typed. */
export function waitText(seconds: number, what: 'password' | 'answer' = 'password'): string {
  return `Too many tries. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}; until then the right ${what} is refused, too.`;
}
