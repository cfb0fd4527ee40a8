// What a kind of data says about itself, in kinds/<kind>/kind.ts. The board, the Time Series page and “how to log” follow from it;
// kinds/registry.ts is the only list of them.
import type { Component } from 'svelte';
import type { Page } from '../state/page.svelte';
import type { Tag, ViewState } from '../state/types';
import type { CardSpec } from './cards/card-spec';

export interface KindWords {
  readonly one: string;
  readonly many: string;
}

export interface CardProps {
  readonly spec: CardSpec;
  /** What the head says. */
  readonly title: string;
  /** Near the viewport: only then it asks for data. */
  readonly isNear: boolean;
}

/** Of a kind whose cards are more than one tag in the board's frame. Cards of its tags are called like the tags. */
export interface OwnCards {
  readonly Card: Component<CardProps>;
  readonly loadFullScreen: () => Promise<{ default: Component<{ spec: CardSpec }> }>;
  readonly specOf: (tag: Tag) => CardSpec;
  /** Cards that people have put together by hand, as the view has them. */
  readonly madeIn: (view: Pick<ViewState, 'charts'>) => readonly CardSpec[];
}

interface KindFacts {
  /** The word of model/kinds.py: tags have it, and ids of cards begin with it. */
  readonly name: string;
  /** Of its cards below a heading of the Time Series page: the least comes first. */
  readonly order: number;
  /** What one tag is on a card: “2 images”. */
  readonly words: KindWords;
  /** The dashboard that it has for itself. Kinds of one dashboard share a switch on the Time Series page. */
  readonly dashboard: { readonly name: string; readonly label: string };
  /** What a card of this tag is titled; left out: the tag. */
  readonly titleOf?: (tag: string) => string;
  /** Settings below those of the charts on the Time Series page. */
  readonly settings?: {
    readonly title: string;
    readonly load: () => Promise<{ default: Component }>;
    readonly reset?: (view: ViewState) => Promise<void>;
  };
  /** The modules that declare its settings: those that say what is looked at are restored by Back. */
  readonly loadSettings?: () => Promise<readonly object[]>;
  /** What covers the page and can be opened by a link before a card is near: gives a function for effects. */
  readonly loadHost?: () => Promise<(page: Page) => () => void>;
}

export type Kind = KindFacts &
  (
    | {
        /** What a card shows of a tag, fetched with the first one. It fills its parent's box and scrolls by itself. */
        readonly loadContent: () => Promise<{ default: Component<{ tag: Tag }> }>;
        readonly own?: undefined;
      }
    | { readonly own: OwnCards; readonly loadContent?: undefined }
  );
