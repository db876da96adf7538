const SPECIAL = /[()[\]{}!*?+@]/g;

/** A path as a part of a glob pattern: what is special in patterns stands for itself. */
export function literalPattern(path: string): string {
  return path.replace(SPECIAL, String.raw`\$&`);
}
