// A question for a table as it was logged, for tests.
import type { TableQuery } from './table-feed.svelte';

export const QUERY: TableQuery = {
  address: { run: 0, tag: 't', index: 0, step: 0 },
  serverId: 's',
  generation: 0,
  text: '',
  filters: [],
  sortBy: null,
  isDescending: false,
};
