import { createHash } from 'node:crypto';

/** The look of the dashboard: one small sheet, for wide and narrow screens, bright and dark ones. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #fff; --text: #1b2430; --soft: #5b6776; --line: #dfe3e8; --link: #0b5cad;
  --good: #17743e; --warn: #9a5b00; --bad: #b3261e; --bar: #3d7cc9; --bar-now: #8fb6e4;
  --good-back: #e5f4ea; --warn-back: #fdf1dc; --bad-back: #fce8e6; --soft-back: #eceff3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1b212a; --text: #e4e9f0; --soft: #9aa7b6; --line: #303945; --link: #7db4f0;
    --good: #6cc98f; --warn: #e8b45c; --bad: #f28b82; --bar: #5b96dd; --bar-now: #34557d;
    --good-back: #16301f; --warn-back: #3a2a0c; --bad-back: #3d1b18; --soft-back: #262e39;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: break-word; font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
header.top { background: var(--card); border-bottom: 1px solid var(--line); }
header.top > div, main { max-width: 1180px; margin: 0 auto; padding: 0 20px; }
header.top > div { display: flex; align-items: center; gap: 8px 14px; padding-top: 8px; }
header.top > nav { max-width: 1180px; margin: 0 auto; padding: 0 10px; }
.brand { font-weight: 700; color: var(--text); text-decoration: none; }
nav { display: flex; gap: 2px; overflow-x: auto; }
nav a { padding: 9px 10px 8px; color: var(--soft); text-decoration: none; white-space: nowrap; border-bottom: 2px solid transparent; }
nav a:focus-visible { outline-offset: -2px; }
form.search { flex: 0 1 300px; margin-left: auto; }
form.search input { width: 100%; min-height: 34px; padding: 4px 10px; }
.menu { position: relative; min-width: 0; }
.menu > summary { display: flex; align-items: center; gap: 6px; padding: 6px 10px; border-radius: 7px; border: 1px solid var(--line); color: var(--text); list-style: none; min-height: 34px; }
.menu > summary::-webkit-details-marker { display: none; }
.menu > summary::after { content: ""; flex: none; border: 4px solid transparent; border-top-color: var(--soft); border-bottom: 0; }
.menu > summary > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.menu[open] > summary { margin: 0; }
.menu.switcher > summary { font-weight: 600; max-width: 260px; }
.menu.switcher + .menu.person { margin-left: auto; }
.menu.person > summary { max-width: 220px; font-size: 13px; border-color: transparent; color: var(--soft); }
.menu > ul { position: absolute; z-index: 2; top: calc(100% + 4px); left: 0; min-width: 220px; max-width: min(340px, calc(100vw - 24px)); max-height: 70vh; overflow-y: auto; margin: 0; padding: 6px; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 8px 24px #0003; }
.menu.person > ul { left: auto; right: 0; min-width: 160px; }
.menu li a, .menu li button { display: block; width: 100%; padding: 7px 10px; border: 0; border-radius: 7px; background: none; color: var(--text); font-weight: 400; text-align: left; text-decoration: none; overflow-wrap: anywhere; }
.menu li a:hover, .menu li button:hover { background: var(--soft-back); }
.menu li a[aria-current] { font-weight: 600; }
.menu li.apart { border-top: 1px solid var(--line); margin-top: 6px; padding-top: 6px; }
nav a:hover { color: var(--text); }
nav a[aria-current] { color: var(--text); border-color: var(--bar); font-weight: 600; }
main { padding-top: 18px; padding-bottom: 48px; }
h1 { font-size: 22px; margin: 14px 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 10px; }
h3 { font-size: 15px; margin: 0; }
h2 .soft, legend .soft { font-weight: 400; }
h3 .soft { font-weight: 400; margin-left: 6px; }
p { margin: 0 0 10px; }
.soft { color: var(--soft); }
.small { font-size: 13px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; margin: 14px 0 0; }
.cards { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); margin-top: 14px; align-items: start; }
.cards > .card { margin: 0; height: 100%; }
.tiles { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); margin-top: 14px; }
.tile { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--good); border-radius: 10px; padding: 12px 16px; }
.tile.warn { border-left-color: var(--warn); }
.tile.bad { border-left-color: var(--bad); }
.tile b { display: block; font-size: 24px; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tile .name { color: var(--soft); font-size: 13px; }
.notice { border-radius: 10px; padding: 12px 16px; margin: 14px 0 0; border: 1px solid transparent; background: var(--good-back); color: var(--good); font-weight: 600; }
.notice.warn { background: var(--warn-back); color: var(--warn); }
.notice.bad { background: var(--bad-back); color: var(--bad); }
.notice form { display: inline; margin-left: 8px; }
.state { display: inline-block; border-radius: 99px; padding: 1px 10px; font-size: 13px; font-weight: 600; background: var(--soft-back); color: var(--soft); white-space: nowrap; }
.state.good { background: var(--good-back); color: var(--good); }
.state.warn { background: var(--warn-back); color: var(--warn); }
.state.bad { background: var(--bad-back); color: var(--bad); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: 13px; font-weight: 600; color: var(--soft); }
th, td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td { border-bottom: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; padding-right: 0; }
td.number:not(:last-child), th.number:not(:last-child) { padding-right: 24px; }
form.bar a.small { line-height: 38px; }
.chart a:hover .bar { fill: var(--link); }
table + p, form + p, .scroll + p, .notice + p { margin-top: 10px; }
td.long { overflow-wrap: anywhere; min-width: 130px; }
.nowrap { white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: 6px 18px; margin: 0; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
form.bar { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; margin-top: 10px; }
form.bar .small { line-height: 38px; }
label { display: block; font-size: 13px; color: var(--soft); }
label > input, label > select, label > textarea { display: block; margin-top: 3px; }
input, select, textarea, button { font: inherit; color: inherit; }
input, select, textarea { background: var(--page); border: 1px solid var(--line); border-radius: 7px; padding: 7px 10px; min-height: 38px; max-width: 100%; }
textarea { width: 100%; min-height: 84px; }
select { max-width: 260px; }
button { background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 7px 14px; min-height: 38px; cursor: pointer; font-weight: 600; }
button:hover { border-color: var(--soft); }
a.button { display: inline-block; background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 7px 14px; min-height: 38px; color: inherit; font-weight: 600; text-decoration: none; }
a.button:hover { border-color: var(--soft); }
button.main { background: var(--link); border-color: var(--link); color: var(--card); }
button.danger { color: var(--bad); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
details > summary { cursor: pointer; color: var(--link); }
details[open] > summary { margin-bottom: 8px; }
.fields { display: grid; gap: 10px; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); margin-bottom: 10px; }
.fields input { width: 100%; }
.choices { display: flex; flex-wrap: wrap; gap: 8px; }
.card > .choices { gap: 8px 24px; }
.chart { display: block; width: 100%; height: auto; }
.chart .bar { fill: var(--bar); }
.chart .bar.now { fill: var(--bar-now); }
.chart line { stroke: var(--line); }
.chart text { fill: var(--soft); font-size: 11px; text-anchor: middle; }
.chart text.figure { fill: var(--text); font-weight: 600; }
.call { border-top: 1px solid var(--line); padding: 14px 0; }
.call:first-of-type { border-top: 0; padding-top: 4px; }
.call .head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
.call p { margin: 4px 0 6px; }
.decision { margin: 12px 0 0; }
ul.rules { list-style: none; margin: 4px 0 0; padding: 0; columns: 2 360px; column-gap: 28px; }
ul.rules li { padding: 4px 0 4px 26px; position: relative; break-inside: avoid; }
ul.rules li::before { content: "✓"; position: absolute; left: 4px; color: var(--good); font-weight: 700; }
ul.rules li.refused { color: var(--bad); }
ul.rules li.refused::before { content: "✕"; color: var(--bad); }
ul.rules li.warned::before { content: "!"; left: 7px; color: var(--warn); }
ul.rules b { font-weight: 600; }
details ol.history { margin-top: 14px; }
ol.history { margin: 0; padding: 0; list-style: none; }
ol.history li { padding: 5px 0; display: grid; grid-template-columns: 190px 1fr; gap: 0 14px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--page); border: 1px solid var(--line); border-radius: 7px; padding: 10px 12px; margin: 0; font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
table.linked tr { position: relative; }
table.linked a { position: relative; z-index: 1; }
table.linked a.row-link { position: static; }
table.linked a.row-link::after { content: ""; position: absolute; inset: 0; }
table.linked tr:hover td { background: var(--soft-back); }
.block { display: block; }
dl.facts + h3, dl.facts + details, form + details { margin-top: 14px; }
h3 + dl.facts { margin-top: 6px; }
details.filter-bar { margin-top: 10px; }
details.filter-bar > form.bar { margin-top: 0; }
@supports selector(::details-content) {
  @media (min-width: 601px) {
    details.filter-bar > summary { display: none; }
    details.filter-bar::details-content { content-visibility: visible; display: block; height: auto; }
  }
}
@media (max-width: 900px) { .tiles { grid-template-columns: repeat(2, 1fr); } }
@media (max-width: 600px) {
  header.top > div, main { padding-left: 12px; padding-right: 12px; }
  header.top > div { flex-wrap: wrap; gap: 8px 10px; }
  header.top > nav { padding: 0 4px; }
  .menu.switcher { flex: 0 1 auto; }
  .menu.switcher > summary { max-width: 170px; }
  .menu.person { margin-left: auto; flex: 0 1 auto; }
  .menu.person > summary { max-width: 110px; padding: 6px 0; }
  form.search { order: 1; flex: 1 0 100%; }
  nav a { padding: 8px 8px 7px; }
  .chart { overflow: visible; margin-bottom: 14px; }
  .chart text { font-size: 26px; }
  .chart text.hour { transform: translateY(9px); }
  .chart text.day { transform: translateY(22px); }
  .chart text.minor { display: none; }
  .chart text.first { text-anchor: start; }
  form.bar button { width: 100%; }
  form.filters { display: grid; grid-template-columns: 1fr 1fr; }
  form.filters > * { min-width: 0; }
  form.filters button { grid-column: 1 / -1; }
  form.bar .small { line-height: inherit; }
  .choices form, .choices details, .choices button { width: 100%; }
  .card { padding: 14px 14px; }
  .tile { padding: 10px 12px; }
  .tile b { font-size: 20px; }
  .tiles { gap: 10px; }
  ol.history li { grid-template-columns: 1fr; }
  dl.facts { grid-template-columns: 1fr; gap: 0; }
  dl.facts dd { margin-bottom: 8px; }
  table.stack, table.stack tbody { display: block; }
  table.stack thead, table.stack td.wide { display: none; }
  table.stack tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
  table.stack tr:last-child { border-bottom: 0; }
  table.stack td { display: block; border: 0; padding: 1px 0; text-align: left; }
  table.stack td:empty { display: none; }
  table.stack td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); }
  form.bar label, form.bar input, form.bar select { width: 100%; max-width: none; }
  table.brief tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 10px; align-items: baseline; }
  table.brief td.brief-1 { order: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  table.brief td.brief-2 { order: 2; text-align: right; }
  table.brief td.brief-3 { order: 3; color: var(--soft); font-size: 13px; }
  table.brief td.brief-4 { order: 4; color: var(--soft); font-size: 13px; text-align: right; padding: 1px 0; }
  table.brief .wide { display: none; }
  table.brief .block { display: inline; }
}
main.narrow { max-width: 520px; }
header.top form { margin-left: auto; }
.brand:only-child { padding-bottom: 12px; }
.card > .notice { margin: 12px 0 14px; }
.field { margin: 0 0 14px; }
.field > label { color: var(--text); font-size: 15px; font-weight: 600; }
.field > p { margin: 2px 0 0; }
.field > input { width: 100%; margin-top: 5px; }
.field > input[aria-invalid] { border-color: var(--bad); }
.fault { color: var(--bad); font-weight: 600; }
.card > form + p { margin-top: 16px; }
.card > :last-child { margin-bottom: 0; }
.card > h1:first-child { margin-top: 0; }
ul.links { list-style: none; margin: 0; padding: 0; }
ul.links li { padding: 7px 0; border-bottom: 1px solid var(--line); }
ul.links li:last-child { border-bottom: 0; }
nav.sub { margin: -4px 0 4px; border-bottom: 1px solid var(--line); }
nav.sub a { padding: 8px 10px 8px; margin-bottom: -1px; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
.row { margin: 0 0 18px; max-width: 640px; }
.row > label { font-size: 15px; font-weight: 600; color: var(--text); }
.row > input, .row > select { display: block; width: 100%; max-width: 420px; margin-top: 4px; }
.row .hint { color: var(--soft); font-size: 13px; margin: 2px 0 4px; }
.row .error { color: var(--bad); font-weight: 600; margin: 2px 0 4px; }
.row.refused { border-left: 4px solid var(--bad); padding-left: 12px; }
.row.refused input:not([type=checkbox], [type=radio]), .row.refused select { border-color: var(--bad); }
.checks { display: grid; gap: 2px; margin: 6px 0; }
label.check { display: flex; gap: 10px; align-items: flex-start; padding: 4px 0; font-size: 15px; color: var(--text); }
.row > label.check { font-weight: 600; }
label.check > input { margin: 3px 0 0; min-height: 0; width: 17px; height: 17px; flex: none; accent-color: var(--link); }
.row > label.check + .hint { margin-left: 27px; }
.inner { margin: 2px 0 8px 27px; }
.inner input:not([type=checkbox]) { width: 100%; max-width: 380px; }
.notice ul { margin: 6px 0 0; padding-left: 20px; font-weight: 400; }
.notice.bad a { color: inherit; }
.card + p { margin-top: 14px; }
.card.secret { border: 2px solid var(--good); }
output[data-secret] { display: block; user-select: all; -webkit-user-select: all; overflow-wrap: anywhere; background: var(--good-back); border-radius: 7px; padding: 10px 12px; font: 600 15px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
output[data-secret] { white-space: pre-line; }
svg.qr { display: block; width: 230px; max-width: 100%; margin: 0 0 12px; border-radius: 7px; }
output[data-secret] + form, output[data-secret] + p { margin-top: 14px; }
figure.copy { margin: 14px 0 0; }
figure.copy figcaption { font-size: 13px; color: var(--soft); margin-bottom: 4px; }
figure.copy pre { user-select: all; -webkit-user-select: all; }
.head-row { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; justify-content: space-between; }
.head-row + .rows { margin-top: 10px; }
td .choices { gap: 4px 18px; }
td details[open] { min-width: min(280px, 70vw); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
dl.settings { margin: 0; }
dl.settings > div { display: grid; grid-template-columns: minmax(0, 240px) 1fr; gap: 2px 18px; padding: 9px 0; border-bottom: 1px solid var(--line); }
dl.settings > div:last-child { border-bottom: 0; }
dl.settings dt { color: var(--soft); }
dl.settings dd { margin: 0; }
dl.settings p { margin: 2px 0 0; }
@media (max-width: 600px) { dl.settings > div { grid-template-columns: 1fr; } }
.save { margin: 16px 0 0; }
.row .error:empty { display: none; }
.rows .error { font-size: 13px; }
.row > textarea { display: block; margin-top: 4px; }
.rows { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 240px), 1fr)); gap: 0 18px; align-items: end; }
.rows > .row { max-width: none; margin-bottom: 14px; }
.rows > .row > label { font-size: 13px; }
.rows > .row > input, .rows > .row > select { max-width: none; }
.part { border-top: 1px solid var(--line); padding-top: 12px; margin-bottom: 6px; }
.part > legend { float: left; width: 100%; margin-bottom: 8px; font-size: 15px; font-weight: 600; color: var(--text); }
.part > legend + * { clear: both; }
.code textarea { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; min-height: 320px; }
.outcomes { display: flex; flex-wrap: wrap; gap: 4px 6px; }
.usage { font-size: 13px; font-weight: 600; margin: 2px 0 0; }
.row + .usage { margin: -12px 0 18px; }
ol.steps { list-style: none; counter-reset: step; margin: 0; padding: 0; }
ol.steps > li { counter-increment: step; scroll-margin-top: 14px; }
ol.steps > li:not(.done) > h2::before { content: counter(step) ". "; color: var(--soft); }
ol.steps > li.done { border-left: 4px solid var(--good); }
.mark { color: var(--good); margin-right: 8px; }
.good { color: var(--good); font-weight: 600; }
.field { margin: 0 0 12px; min-width: 0; }
.field > input, .field > select, .field > textarea { display: block; width: 100%; max-width: 640px; margin-top: 3px; }
.field > p { margin: 4px 0 0; }
.field [aria-invalid] { border-color: var(--bad); }
.problem { color: var(--bad); font-weight: 600; }
fieldset { border: 0; padding: 0; }
legend { padding: 0; font-size: 13px; color: var(--soft); }
.row > legend { font-size: 15px; font-weight: 600; color: var(--text); }
label.choice { display: flex; gap: 8px; align-items: center; padding: 4px 0; font-size: 15px; color: var(--text); }
label.choice > input { margin: 0; min-height: 20px; }
form + form { margin-top: 14px; }
pre { margin-bottom: 10px; }
.card > p:last-child, .card > div > p:last-child { margin-bottom: 0; }
.links { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0; }
form.bar[role=search] > label { flex: 1 1 260px; max-width: 640px; }
form.bar[role=search] input { width: 100%; font-size: 15px; }
form.find { display: flex; gap: 6px; margin-left: auto; padding: 6px 0; }
form.find > input { width: 210px; min-width: 0; }
ul.found { list-style: none; margin: 0; padding: 0; }
ul.found li { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 7px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
ul.found li:last-child { border-bottom: 0; }
section.needs { border-left: 4px solid var(--warn); }
ul.needs { list-style: none; margin: 0; padding: 0; }
ul.needs li { padding: 7px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
ul.needs li:last-child { border-bottom: 0; padding-bottom: 0; }
ul.needs .state { margin-right: 6px; }
time { white-space: nowrap; }
.card > h3, details > h3 { margin: 16px 0 4px; }
.card > h2 + h3 { margin-top: 0; }
dl.facts + form { margin-top: 14px; }
p + .row { margin-top: 14px; }
a.button.main { background: var(--link); border-color: var(--link); color: var(--card); }
.week > .day { display: grid; grid-template-columns: 130px minmax(0, 1fr) auto; gap: 4px 14px; padding: 8px 0; border-bottom: 1px solid var(--line); }
.week > .day > .name { padding-top: 8px; font-weight: 600; }
.week > .day.refused { border-left: 4px solid var(--bad); padding-left: 12px; }
.window { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; margin-bottom: 4px; }
.acts { display: flex; flex-wrap: wrap; gap: 4px; align-content: flex-start; justify-content: flex-end; }
.row:has(> .week) { max-width: 820px; }
.row > textarea { display: block; margin-top: 4px; }
.row.refused textarea { border-color: var(--bad); }
.row > .window { margin-top: 6px; }
button.quiet { font-weight: 400; font-size: 13px; min-height: 38px; padding: 5px 10px; }
.inner-rows { margin-top: 10px; }
.chart.week { max-width: 720px; }
.chart rect.closed { fill: var(--soft-back); }
.chart text.side { text-anchor: start; }
@media (max-width: 600px) {
  .week > .day { grid-template-columns: 1fr; }
  .week > .day > .name { padding-top: 0; }
  .acts { justify-content: flex-start; }
  .chart.week text { font-size: 17px; }
}
.phone { white-space: nowrap; font-variant-numeric: tabular-nums; }
.phone > span + span { margin-left: .28em; }
.progress progress { display: block; width: 100%; max-width: 640px; height: 10px; accent-color: var(--bar); }
.card > details + button, .card details + h3, form > details + button, dl.facts + .choices { margin-top: 12px; }
.empty { margin: 4px 0; }
@media (max-width: 600px) { form.find { flex: 1 1 100%; } form.find > input { flex: 1; } }
`;

/** A handset. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/>' +
  '<path fill="#fff" d="M11 7l3 5-2 2.500q1.500 3.500 5.500 5.500l2.500-2 5 3-1 4q-1 1-3 1Q9 24 6 11q0-2 1-3z"/></svg>';

/** Part of the sheet's address, so that browsers may keep the sheet until it changes. */
export const STYLE_VERSION = createHash('sha256').update(STYLE).digest('hex').slice(0, 12);
