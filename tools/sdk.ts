import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './sdk/generated-files.js';
import { repositoryRoot } from './services/paths.js';

/** `npm run sdk:types`: writes what `sdk/src/generated/` has of the API's document. */
async function main(): Promise<void> {
  for (const [path, text] of Object.entries(await generatedFiles())) {
    const file = join(repositoryRoot(), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(path);
  }
}

void main();
