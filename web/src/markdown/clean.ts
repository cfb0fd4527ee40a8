// The first of the two walls between a logged text and the page: DOMPurify, with our list. The second is rebuild.ts.
import DOMPurify from 'dompurify';
import { ALLOWED_TAGS, READ_ATTRIBUTES, UNWRAPPED_TAGS } from './allowed';

const CLEANING = {
  ALLOWED_TAGS: [...ALLOWED_TAGS, ...UNWRAPPED_TAGS],
  ALLOWED_ATTR: [...READ_ATTRIBUTES],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_SELF_CLOSE_IN_ATTR: false,
  SANITIZE_DOM: true,
};

/** Markup as nodes of a document of their own, in which nothing runs and nothing is loaded. */
export function cleaned(markup: string): Node {
  return DOMPurify.sanitize(markup, { ...CLEANING, RETURN_DOM_FRAGMENT: true });
}
