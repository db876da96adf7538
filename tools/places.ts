import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NUMBER_PLACES_FILE, numberPlacesFile } from './places/number-places.js';
import { readPhoneMaps } from './places/read-maps.js';
import { repositoryRoot } from './services/paths.js';

/** `npm run places`: writes the table by which a number's zones and states are found. */
writeFileSync(join(repositoryRoot(), NUMBER_PLACES_FILE), numberPlacesFile(readPhoneMaps()));
console.log(NUMBER_PLACES_FILE);
