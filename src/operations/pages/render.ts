import { isValidElement, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A page as its view returns it. Every text and attribute in it is escaped when it is rendered. */
export type PageElement = VNode;

export function isPage(value: unknown): value is PageElement {
  return isValidElement(value);
}

/** The HTML document. */
export function renderPage(page: PageElement): string {
  return `<!doctype html>${renderToString(page)}`;
}
