// What the page's one tooltip bubble shows now, and beside which element.

class Bubble {
  anchor = $state.raw<HTMLElement | null>(null);
  text = $state('');

  show(anchor: HTMLElement, text: string): void {
    this.anchor = anchor;
    this.text = text;
  }

  hide(): void {
    this.anchor = null;
  }
}

export const bubble = new Bubble();
