import { type AddressInfo } from 'node:net';
import { type Browser, type Page } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { DESK, OperationsBrowser } from '../operations/operations-browser.js';
import { addressesOf, PUBLIC_ADDRESSES } from './every-page.js';
import { filledTexts, markup, plantMarkup, unknownTexts } from './planted-markup.js';

const executable = findChromium();
if (executable === null) process.stderr.write('skipped: no Chromium\n');
const withBrowser = executable === null ? describe.skip : describe;

const WITHIN_MS = 240_000;

/** What a page shows that it would not show if every text were escaped, and what it runs. */
const FAULTS = `(() => {
  const faults = [];
  if (window.planted !== undefined) faults.push('a script ran');
  for (const element of document.querySelectorAll('*')) {
    const { outerHTML } = element;
    const told = outerHTML.slice(0, 200);
    if (element.hasAttribute('data-planted')) faults.push('an element: ' + told);
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) faults.push('a handler: ' + told);
      if (/^(?:href|src|action|formaction|hx-\\w+)$/i.test(name) && /^\\s*(?:javascript|data|vbscript):/i.test(value))
        faults.push('an address: ' + told);
    }
    const isScript = element.localName === 'script';
    if (isScript && !(element.getAttribute('src') ?? '').startsWith('/assets/')) faults.push('a script: ' + told);
  }
  return faults;
})()`;

withBrowser('markup in every text that people, carriers and receivers can fill', () => {
  let calling: Calling;
  let browser: Browser;
  let pages: OperationsBrowser;
  let caller: Caller;
  let addresses: Record<string, string>;

  beforeAll(async () => {
    calling = await Calling.start({ nodeEnv: 'development' });
    const { db } = calling;
    caller = await buildCaller(db, { name: 'Team' }, { name: 'Agent' });
    await buildCaller(db, { name: 'Another team' });
    addresses = await addressesOf(db, caller);
    const { cookie } = await signedIn(db, { operator: true });
    await signedIn(db, { teamId: caller.teamId, role: 'viewer' });
    const { searchParams } = new URL(addresses.number ?? '', 'http://127.0.0.1');
    await plantMarkup(db, caller, searchParams.get('phoneNumber') ?? '');
    const { port } = calling.api.getHttpServer().address() as AddressInfo;
    browser = await launchChromium(executable ?? '');
    pages = new OperationsBrowser(browser, `http://127.0.0.1:${port}`, cookie);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await calling?.close();
  });
  afterEach(() => pages?.reset());

  /** Opens a page and uses what opens on it. */
  async function faultsOf(page: Page, path: string): Promise<string[]> {
    await page.goto(path);
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
    return page.evaluate<string[]>(FAULTS);
  }

  /** What the browser says of an error page is no fault. */
  const complaints = () =>
    pages.complaints.filter((text) => !text.includes('the server responded with a status'));

  test('the database has no text that this test does not know, and each one that it fills is full', async () => {
    expect(await unknownTexts(calling.db)).toEqual([]);
    const empty: string[] = [];
    for (const field of filledTexts()) {
      const [table, column] = field.split('.');
      const rows = await calling.db.query<unknown[]>(
        `SELECT 1 FROM ${table} WHERE strpos(${column}::text, 'data-planted') > 0 LIMIT 1`,
      );
      if (rows.length === 0) empty.push(field);
    }
    expect(empty).toEqual([]);
  });

  test('an unescaped text would be found', async () => {
    const page = await pages.open();
    await page.route('**/planted', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<title>x</title><p title="${markup('x.y')}">` }),
    );
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => void dialog.dismiss());
    const faults = await faultsOf(page, '/planted');
    expect(faults).toContain('a script ran');
    expect(faults.filter((fault) => fault.startsWith('an element')).length).toBeGreaterThan(1);
    expect(faults.some((fault) => fault.startsWith('a handler'))).toBe(true);
    expect(dialogs).toEqual([]);
  });

  test(
    'is shown as text on every page: it runs no script and adds no element',
    async () => {
      const page = await pages.open();
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      const foreign: string[] = [];
      page.on('request', (request) => {
        if (!/^http:\/\/127\.0\.0\.1:/.test(request.url())) foreign.push(request.url());
      });
      const searched = (base: string) =>
        ['contacts.name', 'campaigns.name', 'voice_agents.name', 'teams.name'].map(
          (field): [string, string] => [
            `search for ${field} in ${base}`,
            `${base}/search?q=${encodeURIComponent(field)}`,
          ],
        );
      const visited: Record<string, string> = {
        ...addresses,
        ...Object.fromEntries([...searched(`/t/${caller.teamId}`), ...searched('/platform')]),
      };
      const faults: Record<string, string[]> = {};
      const seen = new Set<string>();
      for (const [name, path] of Object.entries(visited)) {
        const found = await faultsOf(page, path);
        if (found.length > 0) faults[name] = found;
        const text = await page.evaluate<string>(
          '[document.title, document.body.textContent, ...[...document.querySelectorAll("input, textarea")].map(({ value }) => value)].join(" ")',
        );
        const told = asRead(text);
        for (const field of filledTexts()) if (told.includes(asRead(`${field}'"-->`))) seen.add(field);
      }
      expect(faults).toEqual({});
      expect(dialogs).toEqual([]);
      expect(foreign).toEqual([]);
      expect(complaints()).toEqual([]);
      // The pages do show these texts, so that the test looks at something.
      expect(SHOWN.filter((field) => !seen.has(field))).toEqual([]);
    },
    WITHIN_MS,
  );

  test(
    'in the address of a page is text, too',
    async () => {
      const page = await pages.open(DESK);
      const faults: Record<string, string[]> = {};
      const names = [
        'q',
        'timezone',
        'phoneNumber',
        'status',
        'day',
        'cursor',
        'actor',
        'back',
        'campaignId',
      ];
      for (const [name, path] of Object.entries({ ...addresses, ...PUBLIC_ADDRESSES })) {
        const [bare = ''] = path.split('?');
        const query = new URLSearchParams(names.map((parameter) => [parameter, markup(parameter)]));
        const found = await faultsOf(page, `${bare}?${query.toString()}`);
        if (found.length > 0) faults[name] = found;
      }
      expect(faults).toEqual({});
      expect(complaints()).toEqual([]);
    },
    WITHIN_MS,
  );
});

/** Labels are written with blanks, and begin with a capital letter. */
const asRead = (text: string): string => text.replace(/[_.]/g, ' ').toLowerCase();

/** Texts that pages show. */
const SHOWN = [
  'api_keys.name',
  'audit_log.action',
  'audit_log.actor_name',
  'audit_log.address',
  'audit_log.after',
  'audit_log.before',
  'audit_log.target_id',
  'audit_log.target_type',
  'call_requests.carrier',
  'call_requests.carrier_call_id',
  'call_requests.decisions',
  'call_requests.first_message',
  'call_requests.history',
  'call_requests.prompt',
  'call_requests.reason',
  'call_requests.unknown_placeholders',
  'call_results.disposition',
  'campaigns.name',
  'carrier_accounts.name',
  'consent_endings.reason',
  'consents.evidence',
  'consents.source',
  'contacts.company_name',
  'contacts.company_website',
  'contacts.custom_properties',
  'contacts.email',
  'contacts.external_id',
  'contacts.name',
  'do_not_call.reason',
  'enrollments.source',
  'enrollments.step',
  'enrollments.timeline',
  'enrollments.waiting_for',
  'platform_do_not_call.reason',
  'register_versions.register',
  'sweeper_runs.worker',
  'teams.name',
  'users.email',
  'voice_agents.name',
];
