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

/** The dashboard that nearly every first view shows; scripts/check_bundle.py counts it as part of that view. */
const FIRST_DASHBOARD = 'src/dashboards/scalars/entry.ts';
/** The script through which the others are reached: see its head. */
const LATE_ENTRIES = 'src/dashboards/late-entries.ts';

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

/** Lets the browser fetch the first dashboard together with the entry instead of after it. */
function preloadFirstDashboard(): Plugin {
  return {
    name: 'preload-first-dashboard',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunk = Object.values(bundle).find(
          (one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(FIRST_DASHBOARD),
        );
        if (chunk?.type !== 'chunk') return [];
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
        const attributes = { crossorigin: true };
        return [
          ...[chunk.fileName, ...chunk.imports].map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', ...attributes, href: `./${file}` },
          })),
          ...styles.map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'style', ...attributes, href: `./${file}` },
          })),
        ].filter(({ attrs }) => !html.includes(attrs.href));
      },
    },
  };
}

/**
 * Writes into the page which files the dashboards consist of that are loaded on demand: "name path path …; name path …".
 * public/early.js fetches those of the dashboard that the address names.
 */
function listLateDashboards(): Plugin {
  return {
    name: 'list-late-dashboards',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const doors = chunks.filter((chunk) => chunk.facadeModuleId?.endsWith(LATE_ENTRIES));
        const lists: string[] = [];
        for (const chunk of chunks) {
          const name = /\/src\/dashboards\/(\w+)\/entry\.ts$/.exec(chunk.facadeModuleId ?? '')?.[1];
          if (name === undefined || chunk.facadeModuleId?.endsWith(FIRST_DASHBOARD)) continue;
          const wanted = [...doors, chunk];
          const seen = new Set<string>();
          for (let one = wanted.shift(); one !== undefined; one = wanted.shift()) {
            for (const file of [one.fileName, ...(one.viteMetadata?.importedCss ?? [])])
              seen.add(`./${file}`);
            for (const file of one.imports) {
              const imported = byFile.get(file);
              if (imported !== undefined && !seen.has(`./${file}`)) wanted.push(imported);
            }
          }
          lists.push([name, ...[...seen].filter((file) => !html.includes(file))].join(' '));
        }
        return html.replace('data-late=""', `data-late="${lists.join('; ')}"`);
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

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Names the one script for all that the entry and the first dashboard import statically: cut into many, with a name
 * for each, it is a tenth larger. The two themselves keep scripts of their own, by which the manifest knows them.
 */
function firstViewChunk(): (id: string, graph: ModuleGraph) => string | null {
  const roots = ['index.html', 'src/main.ts', FIRST_DASHBOARD].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  let ids: ReadonlySet<string> | null = null;
  return (id, graph) => {
    ids ??= closure(roots, graph);
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
    preloadFirstDashboard(),
    listLateDashboards(),
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
            // What the pages of pictures, sounds, texts and tables share: as forty small files it takes a second to fetch.
            {
              debugName: 'media',
              name: (id: string) =>
                /\/src\/(media\/[^/]+|state\/media[^/]*|widgets\/[^/]+)$/.test(id) ? 'media' : null,
            },
            {
              debugName: 'images',
              name: (id: string) =>
                /\/src\/(media\/images\/[^/]+|dashboards\/images\/[^/]+)$/.test(id) ? 'images' : null,
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
