#!/usr/bin/env node
// The options of curl that the documents use, for machines without it: -s, -X, -H, -d and one address.
const [, , ...words] = process.argv;
const headers = {};
let method, body, url;
for (let word = words.shift(); word !== undefined; word = words.shift()) {
  if (word === '-X') method = words.shift();
  else if (word === '-d') body = words.shift();
  else if (word === '-H') {
    const [name, ...value] = words.shift().split(':');
    headers[name] = value.join(':').trim();
  } else if (!word.startsWith('-')) url = word;
}
fetch(url, { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body }).then(
  async (answer) => {
    process.stdout.write(await answer.text());
    process.exitCode = answer.ok ? 0 : 22;
  },
  (error) => {
    process.stderr.write(`${error}\n`);
    process.exitCode = 7;
  },
);
