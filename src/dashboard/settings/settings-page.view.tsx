import { type ComponentChildren } from 'preact';
import { mayDo, type Permission } from '../../domain/permissions.js';
import { SubNavigation } from '../design/sub-navigation.view.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';

/** The pages of a team's settings, and what a person needs to see each. */
const PAGES = [
  ['team', 'Team', 'read'],
  ['api-keys', 'API keys', 'keys'],
  ['members', 'Members', 'members'],
  ['carriers', 'Carriers', 'read'],
  ['compliance', 'Compliance', 'read'],
  ['retention', 'Retention', 'read'],
] as const satisfies readonly (readonly [string, string, Permission])[];

type SettingsPageName = (typeof PAGES)[number][0];

interface SettingsPageProps {
  frame: Frame;
  page: SettingsPageName;
  title: string;
  children: ComponentChildren;
}

/** A page of a team's settings. It shows the way to those pages alone that the person may see. */
export function SettingsPage({ frame, page, title, children }: SettingsPageProps) {
  const { role } = frame.request;
  const pages = PAGES.filter(([, , permission]) => mayDo(role, permission));
  return (
    <Layout frame={frame} section="settings" title={`${title} · Settings`}>
      <SubNavigation
        label="Settings"
        current={page}
        pages={pages.map(([name, label]) => ({ name, label, href: `${frame.base}/settings/${name}` }))}
      />
      <h1>{title}</h1>
      {children}
    </Layout>
  );
}
