import { type Pack, type PackRule, type RuleHead } from '../../domain/compliance/pack.js';
import { ruleText } from '../../domain/compliance/rule-text.js';
import { heading } from '../html/heading.js';
import { type Html, html } from '../html/html.js';

export const PACKS_URL = '/docs/packs';
export const urlOfPack = (name: string) => `${PACKS_URL}/${name}`;

/** Said once on every page of rules. */
const NO_ADVICE =
  'These rules are data that the product applies; they are no legal advice, and the law may say more than they do.';

/** The list of the packs, after the page's navigation. */
export function packsPage(packs: readonly Pack[]): Html {
  return html`<h1 id="top">Packs of rules</h1>
    <p>${NO_ADVICE}</p>
    <p>
      A pack has the dated rules of one jurisdiction. Rules of high confidence are enforced where a team’s
      setting says so; those of medium and low confidence only warn, unless the operator raises them.
    </p>
    <p>
      An opt-out ends every call of the team to the person. That is a choice of the product: the part of 47
      CFR 64.1200(a)(10) that demands it is waived until 2027-01-31. A refusal that France or the Emirates
      limit to 60 days or to one product is an opt-out, too. The rule of the FCC by which a consent was of one
      seller alone was vacated on 2025-01-24, and no pack has it.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Pack</th>
          <th scope="col">Jurisdiction</th>
          <th scope="col">Rules</th>
          <th scope="col">Version</th>
        </tr>
      </thead>
      <tbody>
        ${packs.map(
          ({ pack, name, jurisdiction, rules, version }) =>
            html`<tr>
              <td><a href="${urlOfPack(pack)}">${pack}</a></td>
              <td>${name} (${jurisdiction})</td>
              <td>${rules.length}</td>
              <td><code>${version}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

/** The rules of a pack, after the page's navigation. */
export function packPage({ pack, name, jurisdiction, version, extends: names, rules }: Pack): Html {
  return html`<h1 id="top">${name}</h1>
    <p>${NO_ADVICE}</p>
    <p>
      Pack <code>${pack}</code> of ${jurisdiction}, version <code>${version}</code>.
      ${names.length > 0 && html`The rules of ${links(names)} hold as well.`}
      <a href="${PACKS_URL}">All packs</a>
    </p>
    ${rules.map(section)}`;
}

function section(rule: PackRule): Html {
  const { id, citation, source, confidence, note } = rule;
  return html`${heading(2, id, id)}
    <p>${ruleText(rule)}</p>
    ${
      rule.kind === 'disclosure' &&
      html`<ul>
        ${Object.entries(rule.texts).map(
          ([language, text]) => html`<li>${language}: <span lang="${language}">${text}</span></li>`,
        )}
      </ul>`
    }
    ${note !== null && html`<p>${note}</p>`}
    <dl>
      <dt>Calls</dt>
      <dd>${rule.appliesTo.purpose.join(', ')}; voice ${rule.appliesTo.voice.join(', ')}</dd>
      <dt>In force</dt>
      <dd>${inForceText(rule)}</dd>
      <dt>Confidence</dt>
      <dd>${confidence}${confidence !== 'high' && ': warns only'}</dd>
      <dt>Law</dt>
      <dd>
        ${citation}, read on ${source.readOn} at
        <a href="${source.url}" rel="noreferrer">${hostOf(source.url)}</a>
      </dd>
    </dl>`;
}

function inForceText({ effectiveFrom, effectiveTo }: RuleHead): string {
  const from = effectiveFrom === null ? '' : `from ${effectiveFrom}`;
  const to = effectiveTo === null ? '' : `to ${effectiveTo}`;
  return [from, to].filter((part) => part !== '').join(' ') || 'always';
}

const links = (names: readonly string[]): Html[] =>
  names.map((name, index) => html`${index > 0 && ', '}<a href="${urlOfPack(name)}">${name}</a>`);

const hostOf = (url: string) => new URL(url).hostname;
