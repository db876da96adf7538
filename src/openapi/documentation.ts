import { type OpenApiDocument } from '../http/openapi/document.js';
import { docsPage } from './docs-page.js';

/** The API's document, ready to be sent: it does not change while the process runs. */
export class Documentation {
  readonly json: string;
  readonly page: string;

  constructor(readonly document: OpenApiDocument) {
    this.json = JSON.stringify(document, null, 2);
    this.page = docsPage(document);
  }
}
