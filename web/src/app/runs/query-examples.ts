// Filter expressions to begin with, made of what this log has, so that pressing one shows something.

export interface ExampleSource {
  readonly fields: readonly string[];
  /** Some run's value. */
  readonly value: (field: string) => number | string | boolean | undefined;
  readonly tags: readonly string[];
  readonly labels: readonly string[];
}

export function queryExamples({ fields, value, tags, labels }: ExampleSource): readonly string[] {
  const examples = ['favourite', 'status = running'];
  const label = labels[0];
  if (label !== undefined) examples.push(`label = ${quoted(label)}`);
  const field = fields.find((name) => typeof value(name) === 'number');
  if (field !== undefined) examples.push(`${nameOf(field)} <= ${value(field)}`);
  const tag = tags.find((name) => /acc/i.test(name)) ?? tags[0];
  if (tag !== undefined && !tag.includes(')')) examples.push(`last(${tag}) > 0.5`);
  examples.push('age < 7d');
  return examples;
}

/** A name that is not one word stands in backquotes. */
function nameOf(field: string): string {
  return /^[a-z_][\w./-]*$/i.test(field) ? field : `\`${field.replaceAll('`', '')}\``;
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
