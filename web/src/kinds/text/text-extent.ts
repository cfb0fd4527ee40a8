// How a reader gets more of a text than is shown, or less.

export interface TextExtent {
  /** null: there is no more to be had, but as a file. */
  readonly more: { readonly chars: number; readonly wish: () => void } | null;
  /** null: no more is shown than at first. */
  readonly less: (() => void) | null;
  readonly isLoading: boolean;
  readonly problem: string | null;
  readonly fileUrl: string;
}
