// Plotly's source as text, for frames: fetched once, when the first figure is shown. The page itself never runs it.
import url from 'plotly.js-cartesian-dist-min/plotly-cartesian.min.js?url';

let source: Promise<string> | null = null;

export function plotlySource(): Promise<string> {
  source ??= load().catch((error: unknown) => {
    source = null; // the next figure tries again
    throw error;
  });
  return source;
}

async function load(): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`Plotly could not be fetched from the server (${answer.status})`);
  return await answer.text();
}
