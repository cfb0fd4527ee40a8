// What the linter asks of the page. Types decide most of it (typescript-eslint's strict set); each rule that is
// switched off says why, and formatting is Prettier's alone.
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  { ignores: ['node_modules/', 'src/wire/generated.ts'] },
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: {
        projectService: { allowDefaultProject: ['*.config.js', 'public/*.js'] },
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines-per-function': ['error', { max: 70 }],
      'no-console': 'error',
      'prefer-const': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='setAttribute'][arguments.0.value='style']",
          message: 'The content security policy refuses style attributes; set element.style.… instead',
        },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Numbers are the trade of this page: `${count} runs` is what a template is for.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // tsconfig has noUncheckedIndexedAccess: in inner loops `array[i]!` with a bound checked one line above is the
      // cheapest way to say so.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // An interface may name what another layer calls, and a fake in a test does nothing.
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // `let { a = 1, b = $bindable() } = $props()` is how Svelte 5 declares properties.
      'prefer-const': 'off',
      // Sets and maps with raw contents are replaced, never changed in place (see the state layer).
      'svelte/prefer-svelte-reactivity': 'off',
      // This page has no SvelteKit router; every link is relative or a fragment.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['**/*.test.ts', 'e2e/**/*.ts', '*.config.{js,ts}'],
    languageOptions: { globals: { ...globals.node } },
    rules: {
      // A group of tests is a function, too.
      'max-lines-per-function': 'off',
      // Fakes have the shape of the real thing, not always its promises.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
