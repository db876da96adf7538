import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { read, root } from '../support/repository.js';

const DIRECTORIES = ['.ci', 'deploy', 'docs', 'examples', 'migrations', 'packs', 'src', 'test', 'tools'];
const TEXT = /(?:\.(?:[cm]?[jt]s|md|ya?ml|json|example)|Dockerfile|run)$/;

const files = ['.', ...DIRECTORIES.filter((directory) => existsSync(join(root, directory)))]
  .flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: directory !== '.', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  )
  .filter((file) => TEXT.test(file) && file !== 'package-lock.json');

test.each(['README.md', '.env.example', 'deploy/prometheus/alerts.yml', 'docker-compose.yml'])(
  '%s is checked',
  (file) => expect(files).toContain(file),
);

test('every page of docs/ that a file names exists', () => {
  const missing = files.flatMap((file) =>
    [...read(file).matchAll(/(?<![\w/.-])docs\/[\w/.-]+?\.md\b/g)]
      .filter(([page]) => !existsSync(join(root, page)))
      .map(([page]) => `${file}: ${page}`),
  );
  expect(missing).toEqual([]);
});

test('every link of a page to a file or heading of this repository is valid', () => {
  const broken = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      // What the guides link to is an address of the running API; test/openapi/docs-pages.spec.ts checks it.
      [...withoutCode(read(file)).matchAll(/\]\((?!https?:|mailto:|\/docs[#/])([^)\s]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !leads(file, link))
        .map((link) => `${file}: ${link}`),
    );
  expect(broken).toEqual([]);
});

test('pages name every npm script, and none that does not exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const pages = files.filter((file) => file.endsWith('.md')).map((file) => read(file));
  const run = pages.flatMap((page) => [...page.matchAll(/npm (?:run (?:-s )?)?(\w[\w:-]*\w)/g)]);
  const named = new Set(run.map(([, name = '']) => name));
  const quoted = (name: string) => pages.some((page) => page.includes(`\`${name}\``));
  expect(Object.keys(scripts).filter((name) => !named.has(name) && !quoted(name))).toEqual([]);
  const unknown = run.filter(([command, name = '']) => command.startsWith('npm run') && !(name in scripts));
  expect(unknown.map(([command]) => command)).toEqual([]);
});

/** Code such as `rows[n](value)` is no link. */
const withoutCode = (page: string) => page.replace(/^```.*?^```/gms, '');

function leads(file: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || !target.endsWith('.md') || headingsOf(read(target)).includes(heading);
}

/** The names that headings get when they are shown. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
