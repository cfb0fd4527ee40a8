// What a program told about itself when it started, as lines for people. The server hands over text, and what is nested as
// JSON, which may have been cut at its length.

export interface FactLine {
  readonly label: string;
  readonly text: string;
}

/** "memory_bytes" → "Memory bytes". Names of variables and packages are not ours to change. */
export function factLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The lines of a fact; one without label when it is plain text. */
export function factLines(name: string, text: string): readonly FactLine[] {
  const value = parse(text);
  if (typeof value !== 'object' || value === null) return [{ label: '', text }];
  const isOurs = name !== 'environment' && name !== 'packages';
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const lines = items.flatMap((item): FactLine[] =>
    typeof item === 'object' && item !== null
      ? Object.entries(item).map(([key, part]) => ({
          label: isOurs ? factLabel(key) : key,
          text: plain(part),
        }))
      : [{ label: '', text: plain(item) }],
  );
  return text.endsWith('…') ? [...lines, { label: '', text: '…' }] : lines;
}

function plain(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parse(text: string): unknown {
  if (!/^[[{]/.test(text)) return null;
  const whole = text.endsWith('…') ? `${text.slice(0, text.lastIndexOf(',"'))}}` : text;
  try {
    return JSON.parse(whole);
  } catch {
    return null;
  }
}
