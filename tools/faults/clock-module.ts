import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a module into `directory` that a process requires first, so that its clock goes wrong.
 * @returns its path.
 */
export async function clockModule(directory: string, offsetMs: number): Promise<string> {
  const file = join(directory, `clock-${offsetMs}.cjs`);
  const source = `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ${offsetMs}); else super(...given); }
  static now() { return Real.now() + ${offsetMs}; }
};\n`;
  await writeFile(file, source);
  return file;
}
