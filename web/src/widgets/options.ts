// What there is to choose from, as a list or in short: {value: 'Label', …}.

export type Options<Option extends { readonly value: string; readonly label: string }> =
  readonly Option[] | Readonly<Record<Option['value'], string>>;

export function optionList<Option extends { readonly value: string; readonly label: string }>(
  options: Options<Option>,
): readonly Option[] {
  if (Array.isArray(options)) return options as readonly Option[];
  return Object.entries(options as Readonly<Record<string, string>>).map(
    ([value, label]) => ({ value, label }) as Option,
  );
}
