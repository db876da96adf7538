/** The look of the documentation page; a constant, because it is markup that is never escaped. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #3a424c); --soft: light-dark(#f4f6f8, #1c2127);
  --text: light-dark(#1b232c, #dfe5ea); --dim: light-dark(#5a6672, #9aa6b2); --link: light-dark(#0b57a4, #79b8f3);
  --paper: light-dark(#fff, #14181c); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--text); background: var(--paper);
  display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.25rem; background: var(--soft);
  border-right: 1px solid var(--line); font-size: .9rem; }
nav p { margin: 1.1rem 0 .2rem; font-weight: 600; }
nav .brand { margin-top: 0; font-size: 1.2rem; }
nav .group { font-weight: 400; } .group { color: var(--dim); text-transform: uppercase; letter-spacing: .06em; font-size: .8rem; }
main .group { margin: 4rem 0 -2.5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .1rem 0; color: var(--text); text-decoration: none; }
nav li a:hover { color: var(--link); text-decoration: underline; }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 66rem; }
a { color: var(--link); }
h1 { margin-top: 0; line-height: 1.2; }
h2 { margin: 3rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 0; font-size: 1.15rem; }
h3 a { color: inherit; text-decoration: none; }
h4 { margin: 1.2rem 0 .4rem; font-size: .95rem; }
section { margin: 1.25rem 0; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; }
section:target, details:target { border-color: var(--link); }
.address { overflow-wrap: anywhere; }
.address b { display: inline-block; min-width: 4.2rem; padding: 0 .5rem; border-radius: .25rem; color: #fff;
  text-align: center; font-size: .8rem; }
b.get { background: #1d6fb8; } b.post { background: #1f7a45; } b.patch { background: #8a5a00; } b.delete { background: #b3322c; }
b.s2 { color: light-dark(#1f7a45, #6cc593); } b.s4 { color: light-dark(#8a5a00, #e0b04f); }
b.s5 { color: light-dark(#b3322c, #f08a84); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: .1em .3em; border-radius: .25rem; }
pre { margin: 0; padding: .8rem 1rem; overflow-x: auto; background: var(--soft); border-radius: .4rem; }
figure { margin: .6rem 0; } figcaption, small { color: var(--dim); font-size: .85rem; font-weight: 400; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th { white-space: nowrap; font-weight: 500; } td:nth-child(2) { min-width: 9rem; color: var(--dim); }
td:last-child { min-width: 14rem; }
details { padding: .35rem 0; border-top: 1px solid var(--line); }
summary { cursor: pointer; }
dt { margin-top: .5rem; } dd { margin: 0; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
`;
