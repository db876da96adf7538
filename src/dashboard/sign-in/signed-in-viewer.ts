import { type Viewer } from '../../people/viewer.js';
import { type PageRequest } from '../frame/form.js';

/** The guard lets in only people who are signed in. */
export function viewerOf({ viewer }: PageRequest): Viewer {
  if (viewer === null) throw new Error('the route needs a person who is signed in');
  return viewer;
}
