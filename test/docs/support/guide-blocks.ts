import { type GUIDE_NAMES, guideSource } from '../../../src/openapi/guides/guides.js';
import { type Fence, fencesOf } from './examples.js';

export type GuideName = (typeof GUIDE_NAMES)[number];

/** A shell block with the answer that the page shows for it. */
export type Command = Fence & { answer: unknown };

/** Blocks that are a file; the note is its name. */
export function filesOf(guide: GuideName): Fence[] {
  return fencesOf(guideSource(guide)).filter(({ note }) => note.includes('.'));
}

/** The blocks of TypeScript, which form one program. */
export function programOf(guide: GuideName): string {
  const own = fencesOf(guideSource(guide)).filter(({ language, note }) => language === 'ts' && note === '');
  return own.map(({ body }) => body).join('\n');
}

/** The shell blocks. The answer stands below the same request in TypeScript. */
export function commandsOf(guide: GuideName): Command[] {
  const fences = fencesOf(guideSource(guide));
  return fences.flatMap((fence, index) => {
    if (fence.language !== 'sh') return [];
    const [first, second] = fences.slice(index + 1);
    const below = first?.language === 'ts' ? second : first;
    return [
      { ...fence, answer: below?.language === 'json' ? (JSON.parse(below.body) as unknown) : undefined },
    ];
  });
}
