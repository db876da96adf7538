/** Why a password was not looked at. */
export function waitText(seconds: number): string {
  return `Too many tries. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}; until then the right password is refused, too.`;
}
