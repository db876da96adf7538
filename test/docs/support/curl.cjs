#!/usr/bin/env node
// The options of curl that the documents use, for machines without it: -s, -X, -H, -d, --data-binary, -o, -w
// '%{http_code}' and one address.
const { readFileSync, writeFileSync } = require('node:fs');

const [, , ...words] = process.argv;
const headers = {};
let method, body, output, url;
let showsStatus = false;

/** Of `-d`: `@-` is the input and `@name` a file, without their line breaks. */
function dataOf(word, keepsLines) {
  if (!word.startsWith('@')) return word;
  const text = readFileSync(word === '@-' ? 0 : word.slice(1), 'utf8');
  return keepsLines ? text : text.replace(/[\r\n]/g, '');
}

for (let word = words.shift(); word !== undefined; word = words.shift()) {
  if (word === '-X') method = words.shift();
  else if (word === '-o') output = words.shift();
  else if (word === '-w') showsStatus = words.shift() === '%{http_code}';
  else if (word === '-d' || word === '--data-binary') body = dataOf(words.shift(), word !== '-d');
  else if (word === '-H') {
    const [name, ...value] = words.shift().split(':');
    headers[name] = value.join(':').trim();
  } else if (!word.startsWith('-')) url = word;
}
fetch(url, { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body }).then(
  async (answer) => {
    const text = await answer.text();
    if (output === undefined) process.stdout.write(text);
    else writeFileSync(output, text);
    if (showsStatus) process.stdout.write(String(answer.status));
    process.exitCode = answer.ok ? 0 : 22;
  },
  (error) => {
    process.stderr.write(`${error}\n`);
    process.exitCode = 7;
  },
);
