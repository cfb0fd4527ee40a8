// Builds the page into the Python package, from where the wheel carries it. Every URL in it is relative, so that it
// works below any path: a prefix, a reverse proxy, a notebook's proxy.
//
// `npm run dev` serves the sources with hot reload and hands api/ and data/ to a running server
// (SIGHTLINE_SERVER, http://127.0.0.1:6006 unless set); `make dev` starts both.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

const DASHBOARDS = fileURLToPath(new URL('src/dashboards/registry.ts', import.meta.url));

interface ModuleGraph {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] } | null;
}

/** The files that the list of dashboards loads, in its order. The first is what nearly every first view shows. */
function dashboardFiles(graph: ModuleGraph): readonly string[] {
  return graph.getModuleInfo(DASHBOARDS)?.dynamicallyImportedIds ?? [];
}

/** Each `import()` of the built page goes through src/base/fetch-code.ts; in Vite's own code for it what is lost stays lost. */
function fetchLateCode(): Plugin {
  const path = fileURLToPath(new URL('src/base/fetch-code.ts', import.meta.url));
  return {
    name: 'fetch-late-code',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { fetchCode as __vitePreload } from ${JSON.stringify(path)};`,
    },
  };
}

/**
 * Lets the browser fetch the first dashboard together with the entry instead of after it, and writes into the page which files the
 * others consist of: "name path path …; name path …". public/early.js fetches those of the dashboard that the address names.
 */
function fetchDashboardsEarly(): Plugin {
  let dashboards: readonly string[] = [];
  return {
    name: 'fetch-dashboards-early',
    apply: 'build',
    buildEnd() {
      dashboards = dashboardFiles(this);
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        /** Of a dashboard, those that the page does not name already. */
        const filesOf = (dashboard: string): string[] => {
          const wanted = chunks.filter(({ facadeModuleId }) => facadeModuleId === dashboard);
          const seen = new Set<string>();
          for (let one = wanted.shift(); one !== undefined; one = wanted.shift()) {
            for (const file of [one.fileName, ...(one.viteMetadata?.importedCss ?? [])])
              seen.add(`./${file}`);
            for (const file of one.imports) {
              const imported = byFile.get(file);
              if (imported !== undefined && !seen.has(`./${file}`)) wanted.push(imported);
            }
          }
          return [...seen].filter((file) => !html.includes(file));
        };
        const [first = '', ...late] = dashboards;
        const ofFirst = filesOf(first);
        const lists = late.map((id) => {
          const files = filesOf(id).filter((file) => !ofFirst.includes(file));
          return [/([^/]+)\/[^/]+$/.exec(id)?.[1], ...files].join(' ');
        });
        return {
          html: html.replace('data-late=""', `data-late="${lists.join('; ')}"`),
          tags: ofFirst.map((href) => ({
            tag: 'link',
            attrs: href.endsWith('.css')
              ? { rel: 'preload', as: 'style', crossorigin: true, href }
              : { rel: 'modulepreload', crossorigin: true, href },
          })),
        };
      },
    },
  };
}

/** Lets continuous integration try the same examples every time: a change is not to be refused for what it has not touched. */
function sameExamples(): Plugin {
  return {
    name: 'same-examples',
    // Before the types are taken out, which also changes the quotes.
    enforce: 'pre',
    apply: () => process.env['VITEST'] !== undefined && process.env['CI'] !== undefined,
    transform: {
      filter: { id: /\.test\.ts$/, code: /from 'fast-check'/ },
      handler: (code) => `${code}\nfc.configureGlobal({ seed: 1 });`,
    },
  };
}

/**
 * Names the one script for all that the entry and the first dashboard import statically: cut into many, with a name
 * for each, it is a tenth larger. The two themselves keep scripts of their own, by which the manifest knows them.
 */
function firstViewChunk(): (id: string, graph: ModuleGraph) => string | null {
  const entries = ['index.html', 'src/main.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  let roots: readonly string[] = [];
  let ids: ReadonlySet<string> | null = null;
  return (id, graph) => {
    if (ids === null) {
      roots = [...entries, ...dashboardFiles(graph).slice(0, 1)];
      ids = closure(roots, graph);
    }
    return ids.has(id) && !roots.includes(id) ? 'first-view' : null;
  };
}

function closure(roots: readonly string[], graph: ModuleGraph): Set<string> {
  const seen = new Set<string>();
  const wanted = [...roots];
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    wanted.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return seen;
}

const server = process.env['SIGHTLINE_SERVER'] ?? 'http://127.0.0.1:6006';

export default defineConfig({
  base: './',
  // The second and third are for tests alone: components are built for a browser.
  plugins: [
    svelte(),
    svelteTesting({ autoCleanup: false }),
    sameExamples(),
    fetchLateCode(),
    fetchDashboardsEarly(),
  ],
  build: {
    outDir: '../src/sightline/_static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: true,
    // What comes later is fetched before it is needed: a list of all that it imports would only make the first script larger.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'js' ? [] : files),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { debugName: 'first-view', name: firstViewChunk() },
            // What pages of tags share: as forty small files it takes a second to fetch.
            {
              debugName: 'tag-pages',
              name: (id: string) =>
                /\/src\/(board\/(?!cards\/)|state\/media|widgets\/)/.test(id) ? 'tag-pages' : null,
            },
            {
              debugName: 'images',
              name: (id: string) =>
                /\/src\/(kinds\/image\/[^/]+|dashboards\/images\/[^/]+)$/.test(id) ? 'images' : null,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': server, '/data': server } },
  worker: { format: 'es' },
  test: {
    // A document takes longer to make than most tests to run: those that need one say so in their first line,
    // `// @vitest-environment happy-dom`.
    environment: 'node',
    include: ['src/**/*.test.ts'],
    setupFiles: ['./vitest.setup.ts'],
    restoreMocks: true,
    // A thread is there sooner than a process: a quarter less for two hundred files.
    pool: 'threads',
    // By itself it leaves one processor free, which is half of a small machine.
    maxWorkers: availableParallelism(),
    reporters: ['default', ['json', { outputFile: '../build/test-results/web.json' }]],
    // Only a hang should end a test by the clock: machines that run them are shared and slow.
    testTimeout: 60_000,
  },
});
