// The kinds that are registered, in the order of their cards.
import type { Kind } from '../board/kind';
import * as registry from './registry';

export const KINDS: readonly Kind[] = Object.values(registry).sort((one, other) => one.order - other.order);
