// End-to-end tests: the built page in Chromium, against the real server on logs that the test writes. The browser is the
// system's (scripts/setup.sh browser installs Debian's), nothing is downloaded. Two workers: a browser and its server wait for
// each other much of the time, and the machines that run this are small.
import process from 'node:process';
import { defineConfig } from '@playwright/test';

const isContinuousIntegration = process.env['CI'] !== undefined;

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: '../build/e2e',
  workers: 2,
  fullyParallel: false,
  forbidOnly: isContinuousIntegration,
  // Only where nobody watches: there a test that passes at the second try is printed as flaky at the end of the run
  // (scripts/run_tests.py), with its first error.
  retries: isContinuousIntegration ? 1 : 0,
  // Patience for a slow machine: only what never comes should end a test.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: '../build/test-results/e2e.json' }]],
  use: {
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // Recording takes processor time from what is tested: `--trace on` where one test is looked at.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: CHROMIUM_ARGS,
    },
  },
});
