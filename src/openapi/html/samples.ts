import { type Html, html } from './html.js';

/** A sample in one language. */
export interface Sample {
  language: 'curl' | 'typescript';
  source: string;
}

const LABELS: Record<Sample['language'], string> = { curl: 'curl', typescript: 'TypeScript' };

/**
 * One sample in several languages. Without the script, the languages stand below each other. With the script,
 * one language is shown, and the choice applies to all samples of all pages.
 */
export function samples(of: readonly Sample[]): Html {
  const tabs =
    of.length > 1 &&
    html`<p class="tabs scripted">
      ${of.map(({ language }) => html`<button type="button" data-show="${language}">${LABELS[language]}</button>`)}
    </p>`;
  return html`<div class="samples" ${of.length > 1 && html`data-languages`}>
    ${tabs}${of.map(({ language, source }) => code(source, LABELS[language], language))}
  </div>`;
}

/** A block of code with a button that copies it. */
export function code(source: string, label: string, language?: string): Html {
  return html`<figure class="code" ${language !== undefined && html`data-language="${language}"`}>
    <figcaption>${label}<button type="button" class="copy scripted">Copy</button></figcaption>
    <pre tabindex="0">${source}</pre>
  </figure>`;
}
