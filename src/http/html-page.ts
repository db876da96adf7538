import { isValidElement, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A page as its view returns it. Rendering escapes every text and attribute in it. */
export type PageElement = VNode;

export function isPage(value: unknown): value is PageElement {
  return isValidElement(value);
}

/** The HTML document. */
export function renderPage(page: PageElement): string {
  return `<!doctype html>${renderToString(page)}`;
}
