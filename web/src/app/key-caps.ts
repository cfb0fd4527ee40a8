// Keys as they are shown to people.

export function isApplePlatform(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

const SIGNS: Readonly<Record<string, string>> = { Left: '←', Right: '→', Up: '↑', Down: '↓' };
const APPLE_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** "Ctrl+K" as the parts to show: ["Ctrl", "K"], or ["⌘", "K"] on Apple's keyboards. Single letters stay as they are. */
export function keyCaps(text: string, isApple = isApplePlatform()): readonly string[] {
  const parts = text.endsWith('+') ? [...text.slice(0, -1).split('+').filter(Boolean), '+'] : text.split('+');
  return parts.map((part) => SIGNS[part] ?? (isApple ? APPLE_SIGNS[part] : undefined) ?? part);
}
