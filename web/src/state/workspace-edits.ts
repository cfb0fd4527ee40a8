// What an edit does to the workspace, as the page guesses it before the server has answered. Pure. The server's own rules
// (merging notes, limits) come with its answer; here it only has to look right for a moment.
import type { Annotation, Edit, RunEdits, Workspace } from '../wire/client';

function nothingSaid(run: string): RunEdits {
  return {
    run,
    display_name: null,
    note: '',
    labels: [],
    color: null,
    is_favourite: false,
    is_archived: false,
  };
}

/** The workspace after these edits. Runs that they do not touch stay the same objects. */
export function withEdits(workspace: Workspace, edits: readonly Edit[]): Workspace {
  if (edits.length === 0) return workspace;
  const runs = new Map(workspace.runs.map((one) => [one.run, one]));
  const annotations = new Map(workspace.annotations.map((one) => [one.id, one]));
  const groupColors = new Map(Object.entries(workspace.group_colors));
  let defaultView = workspace.default_view;
  for (const edit of edits) {
    switch (edit.kind) {
      case 'annotate':
        if (edit.annotation) annotations.set(edit.annotation.id, edit.annotation);
        break;
      case 'remove_annotation':
        annotations.delete(edit.text ?? '');
        break;
      case 'group_color':
        if (edit.text) groupColors.set(edit.key ?? '', edit.text);
        else groupColors.delete(edit.key ?? '');
        break;
      case 'default_view':
        defaultView = edit.text || null;
        break;
      default: {
        const run = edit.run ?? '';
        runs.set(run, withRunEdit(runs.get(run) ?? nothingSaid(run), edit));
      }
    }
  }
  return {
    ...workspace,
    runs: [...runs.values()],
    annotations: [...annotations.values()] satisfies Annotation[],
    group_colors: Object.fromEntries(groupColors),
    default_view: defaultView,
  };
}

function withRunEdit(run: RunEdits, edit: Edit): RunEdits {
  const text = edit.text ?? '';
  const isOn = edit.is_on ?? true;
  switch (edit.kind) {
    case 'name':
      return { ...run, display_name: text.trim() || null };
    case 'note':
      return { ...run, note: text };
    case 'add_label':
      return run.labels.includes(text) ? run : { ...run, labels: [...run.labels, text] };
    case 'remove_label':
      return { ...run, labels: run.labels.filter((label) => label !== text) };
    case 'color':
      return { ...run, color: text || null };
    case 'favourite':
      return { ...run, is_favourite: isOn };
    case 'archive':
      return { ...run, is_archived: isOn };
    default:
      return run;
  }
}

/**
 * For edits and annotations: unique without asking anyone, so that an edit that is sent twice counts once.
 * crypto.randomUUID only exists where the page is secure: not over http from another machine.
 */
export function newEditId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
