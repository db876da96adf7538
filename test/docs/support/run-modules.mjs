// Runs modules one after another, each with variables of its own, and prints what failed: node
// run-modules.mjs <list.json>
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const log = console.log;
console.log = () => undefined;
const faults = [];
for (const { file, environment } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  Object.assign(process.env, environment);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    faults.push([file, String(error?.stack ?? error)]);
  }
}
log(JSON.stringify(faults));
