// The page starts here. The style sheet comes first, so that the tokens exist before any component's own style.
import './app/themes.css';
import './app/layout.css';
import { mount } from 'svelte';
import App from './app/App.svelte';
import { untilHere } from './base/late-code';
import { DASHBOARDS, dashboardOf } from './dashboards/registry';
import { createPage } from './state/page.svelte';
import { Client } from './wire/client';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
let isLookedAt = (_word: string): boolean => true;
const page = createPage(new Client(), {
  dashboards: DASHBOARDS.map(({ name }) => name),
  isLookedAt: (word) => isLookedAt(word),
});
void untilHere(() => import('./dashboards/looked-at').then(({ loadLookedAt }) => loadLookedAt())).then(
  (known) => (isLookedAt = known),
);
// Beside the first answers, not after them. Who shows it says what went wrong.
dashboardOf(page.view.dashboard)
  .load?.()
  .catch(() => {});
// What index.html drew in the meantime.
target.replaceChildren();
mount(App, { target, props: { page } });
