import { gzipSync } from 'node:zlib';
import { type OpenApiDocument } from '../http/openapi/document.js';
import { type Guide, loadGuides } from './guides/guides.js';
import { guidePage } from './page/guide-page.js';
import { layout, type NavSection } from './page/layout.js';
import { operationGroups } from './page/operation-groups.js';
import { referencePage } from './page/reference-page.js';
import { searchIndex } from './page/search-index.js';

/** A text, uncompressed and compressed. */
export interface Served {
  text: string;
  gzip: Buffer;
}

/**
 * The API's documentation, ready to be sent. Each part is made at its first request, and does not change
 * afterwards.
 */
export class Documentation {
  private readonly made = new Map<string, Served>();
  private known: readonly Guide[] | undefined;

  constructor(readonly document: OpenApiDocument) {}

  get json(): Served {
    return this.once('json', () => JSON.stringify(this.document, null, 2));
  }

  get page(): Served {
    return this.once('page', () =>
      layout({
        ...this.frame('/docs', `${this.document.info.title} API ${this.document.info.version}`),
        kind: 'reference',
        main: referencePage(this.document, this.guides),
      }),
    );
  }

  get search(): Served {
    return this.once('search', () => JSON.stringify(searchIndex(this.document, this.guides)));
  }

  /** The page of a guide, or null where no guide has the name. */
  guide(name: string): Served | null {
    const guide = this.guides.find((one) => one.name === name);
    if (guide === undefined) return null;
    return this.once(guide.url, () =>
      layout({
        ...this.frame(guide.url, `${guide.title} · ${this.document.info.title}`),
        kind: 'guide',
        main: guidePage(guide, this.guides),
      }),
    );
  }

  private get guides(): readonly Guide[] {
    return (this.known ??= loadGuides());
  }

  private frame(url: string, title: string) {
    return { url, title, version: this.document.info.version, nav: this.navigation() };
  }

  private navigation(): NavSection[] {
    const groups = operationGroups(this.document);
    return [
      { name: 'Guides', links: this.guides },
      ...groups.flatMap(({ name: group, sections }) =>
        sections.map(({ name, operations }, index) => ({
          ...(index === 0 && { group }),
          name,
          links: operations.map(({ operation }) => ({
            title: operation.summary.replaceAll('`', ''),
            url: `/docs#${operation.operationId}`,
          })),
        })),
      ),
      { name: 'Objects', links: [{ title: 'All objects', url: '/docs#objects' }] },
    ];
  }

  private once(key: string, make: () => string): Served {
    const made = this.made.get(key);
    if (made) return made;
    const text = make();
    const served = { text, gzip: gzipSync(text) };
    this.made.set(key, served);
    return served;
  }
}
