import { type ComponentChildren } from 'preact';
import { SCRIPT_VERSION } from './script.js';
import { HTMX_CONFIG, HTMX_VERSION } from './htmx.js';
import { STYLE_VERSION } from './style.js';

/** An error page. @param requestId by which the operator finds the request in the log. */
export function errorPage(title: string, text: string, requestId?: string) {
  return (
    <Document title={title}>
      <main>
        <section class="card">
          <h1>{title}</h1>
          <p>{text}</p>
          <p>
            <a href="/start">To the beginning</a>
          </p>
          {requestId !== undefined && (
            <p class="soft small">
              Request <code>{requestId}</code>
            </p>
          )}
        </section>
      </main>
    </Document>
  );
}

interface DocumentProps {
  title: string;
  /** Whether parts of the page renew themselves. Without a script, the page is the same, and is reloaded by hand. */
  live?: boolean;
  children: ComponentChildren;
}

/** The frame of every document. */
export function Document({ title, live = false, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Outdial`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={`/assets/style.css?v=${STYLE_VERSION}`} />
        <script src={`/assets/app.js?v=${SCRIPT_VERSION}`} defer />
        {live && <meta name="htmx-config" content={HTMX_CONFIG} />}
        {live && <script src={`/assets/htmx.js?v=${HTMX_VERSION}`} defer />}
      </head>
      <body>{children}</body>
    </html>
  );
}
