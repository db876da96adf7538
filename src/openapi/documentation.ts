import { gzipSync } from 'node:zlib';
import { type Pack } from '../domain/compliance/pack.js';
import { type OpenApiDocument } from '../http/openapi/document.js';
import { type Guide, loadGuides } from './guides/guides.js';
import { OBJECTS_URL, urlOfOperation } from './page/addresses.js';
import { guidePage } from './page/guide-page.js';
import { layout, type NavSection } from './page/layout.js';
import { objectsPage } from './page/objects-page.js';
import { operationGroups } from './page/operation-groups.js';
import { operationPage } from './page/operation-page.js';
import { PACKS_URL, packPage, packsPage, urlOfPack } from './page/pack-pages.js';
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

  /** @param packs rules of law, each of which has a page. */
  constructor(
    readonly document: OpenApiDocument,
    private readonly packs: { readonly all: readonly Pack[] } = { all: [] },
  ) {}

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

  /** The page of an operation, or null where no operation has the id. */
  operation(id: string): Served | null {
    const named = operationGroups(this.document)
      .flatMap(({ sections }) => sections.flatMap(({ operations }) => operations))
      .find(({ operation }) => operation.operationId === id);
    if (named === undefined) return null;
    const url = urlOfOperation(id);
    const title = named.operation.summary.replaceAll('`', '');
    return this.once(url, () =>
      layout({
        ...this.frame(url, `${title} · ${this.document.info.title}`),
        kind: 'reference',
        main: operationPage(named, this.document.components.schemas),
      }),
    );
  }

  /** The page of the objects. */
  get objects(): Served {
    return this.once(OBJECTS_URL, () =>
      layout({
        ...this.frame(OBJECTS_URL, `Objects · ${this.document.info.title}`),
        kind: 'reference',
        main: objectsPage(this.document),
      }),
    );
  }

  get search(): Served {
    return this.once('search', () => JSON.stringify(searchIndex(this.document, this.guides, this.packs.all)));
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

  /** The list of the packs. */
  get packList(): Served {
    return this.once(PACKS_URL, () =>
      layout({
        ...this.frame(PACKS_URL, `Packs of rules · ${this.document.info.title}`),
        kind: 'guide',
        main: packsPage(this.packs.all),
      }),
    );
  }

  /** The page of a pack, or null where no pack has the name. */
  pack(name: string): Served | null {
    const pack = this.packs.all.find((one) => one.pack === name);
    if (pack === undefined) return null;
    const url = urlOfPack(name);
    return this.once(url, () =>
      layout({
        ...this.frame(url, `${pack.name}: rules · ${this.document.info.title}`),
        kind: 'guide',
        main: packPage(pack),
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
            url: urlOfOperation(operation.operationId),
          })),
        })),
      ),
      { name: 'Objects', links: [{ title: 'All objects', url: OBJECTS_URL }] },
      ...(this.packs.all.length > 0
        ? [{ name: 'Rules of law', links: [{ title: 'Packs', url: PACKS_URL }] }]
        : []),
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
