// The page starts here. The style sheet comes first, so that the tokens exist before any component's own style.
import './app/themes.css';
import { mount } from 'svelte';
import App from './app/App.svelte';
import { isLookedAt } from './dashboards/looked-at';
import { DASHBOARDS, dashboardOf } from './dashboards/registry';
import { createPage } from './state/page.svelte';
import { Client } from './wire/client';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
const page = createPage(new Client(), { dashboards: DASHBOARDS.map(({ name }) => name), isLookedAt });
// Beside the first answers, not after them. Who shows it says what went wrong.
dashboardOf(page.view.dashboard)
  .load?.()
  .catch(() => {});
// What index.html drew in the meantime.
target.replaceChildren();
mount(App, { target, props: { page } });
