// A layout as the Python code that logs it: the short call where that can say all of it, otherwise the message itself.
import type { LayoutAnswer, LayoutCategory, LayoutChart } from '../../../wire/generated';

type Layout = Pick<LayoutAnswer, 'categories'>;

export function pythonOf(layout: Layout): string {
  return isShort(layout) ? shortCall(layout) : wholeMessage(layout);
}

/** A dict has each name once, and neither closed categories nor several margins in a chart. */
function isShort({ categories }: Layout): boolean {
  return areUnique(categories) && categories.every(isShortCategory);
}

function isShortCategory({ is_closed, charts }: LayoutCategory): boolean {
  return (
    !is_closed &&
    areUnique(charts) &&
    charts.every(({ expressions, margins }) => expressions.length > 0 !== (margins.length === 1))
  );
}

function areUnique(named: readonly { readonly title: string }[]): boolean {
  return new Set(named.map(({ title }) => title)).size === named.length;
}

function shortCall({ categories }: Layout): string {
  return [
    '# writer: of torch.utils.tensorboard, tensorboardX or sightline',
    'writer.add_custom_scalars({',
    ...categories.flatMap(({ title, charts }) => [
      `    ${text(title)}: {`,
      ...charts.map(
        ({ title: name, expressions, margins: [margin] }) =>
          `        ${text(name)}: ${
            margin === undefined
              ? `["Multiline", ${list(expressions.map(text))}]`
              : `["Margin", ${list([margin.value, margin.lower, margin.upper].map(text))}]`
          },`,
      ),
      '    },',
    ]),
    '})',
    '',
  ].join('\n');
}

function wholeMessage({ categories }: Layout): string {
  return [
    'from tensorboard.compat.proto.summary_pb2 import Summary',
    'from tensorboard.compat.proto.tensor_pb2 import TensorProto',
    'from tensorboard.plugins.custom_scalar import layout_pb2, metadata',
    '',
    'layout = layout_pb2.Layout(category=[',
    ...categories.flatMap(({ title, is_closed, charts }) => [
      `    layout_pb2.Category(title=${text(title)}, closed=${is_closed ? 'True' : 'False'}, chart=[`,
      ...charts.map((chart) => `        ${message(chart)},`),
      '    ]),',
    ]),
    '])',
    'value = Summary.Value(',
    '    tag=metadata.CONFIG_SUMMARY_TAG,',
    '    metadata=metadata.create_summary_metadata(),',
    '    tensor=TensorProto(dtype="DT_STRING", string_val=[layout.SerializeToString()]),',
    ')',
    '# writer: of torch.utils.tensorboard',
    'writer.file_writer.add_summary(Summary(value=[value]))',
    '',
  ].join('\n');
}

function message({ title, expressions, margins }: LayoutChart): string {
  if (margins.length === 0) {
    const content =
      expressions.length === 0
        ? ''
        : `, multiline=layout_pb2.MultilineChartContent(tag=${list(expressions.map(text))})`;
    return `layout_pb2.Chart(title=${text(title)}${content})`;
  }
  const series = margins.map(
    ({ value, lower, upper }) =>
      `layout_pb2.MarginChartContent.Series(value=${text(value)}, lower=${text(lower)}, upper=${text(upper)})`,
  );
  return `layout_pb2.Chart(title=${text(title)}, margin=layout_pb2.MarginChartContent(series=${list(series)}))`;
}

const list = (items: readonly string[]): string => `[${items.join(', ')}]`;

/** JSON's texts are Python's, but for halves of letters. */
const text = (value: string): string => JSON.stringify(value);
