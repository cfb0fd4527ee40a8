// Colours of code, by highlight.js with the languages that logs have. What it writes is read back as text and classes only.
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import latex from 'highlight.js/lib/languages/latex';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { CodeBlock } from './rebuild';

const LANGUAGES = {
  ...{
    bash,
    cpp,
    css,
    diff,
    ini,
    java,
    javascript,
    json,
    latex,
    markdown,
    python,
    rust,
    sql,
    typescript,
    xml,
    yaml,
  },
};
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
highlighter.registerAliases(['cuda', 'cu'], { languageName: 'cpp' });
highlighter.configure({ classPrefix: 'code-' });

const CLASS = /^code-[a-z0-9_-]+$/;

/** Colours the words of a block; one of a language that we do not know stays as it is. */
export function fillCode({ element, language, text }: CodeBlock): void {
  if (highlighter.getLanguage(language) === undefined) return;
  const { value } = highlighter.highlight(text, { language, ignoreIllegals: true });
  const parsed = new DOMParser().parseFromString(`<pre>${value}</pre>`, 'text/html').querySelector('pre');
  if (parsed === null || parsed.textContent !== text) return;
  element.replaceChildren(...coloured(parsed, 0));
}

function coloured(from: Element, depth: number): Node[] {
  return [...from.childNodes].map((child) => {
    if (child.nodeType !== 1 || depth > 50) return document.createTextNode(child.textContent ?? '');
    const made = document.createElement('span');
    const name = (child as Element).className.split(' ', 1)[0]!;
    if (CLASS.test(name)) made.className = name;
    made.append(...coloured(child as Element, depth + 1));
    return made;
  });
}
