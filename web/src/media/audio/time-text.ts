// Places in a sound, and frequencies, in few characters.

/** "0:03.2", "1:02:03.4": with tenths, or hundredths for sounds of a few seconds. */
export function placeText(placeS: number, durationS: number): string {
  const digits = durationS < 10 ? 2 : 1;
  const unit = 10 ** digits;
  const total = Math.floor(placeS * unit + 1e-6);
  const seconds = Math.floor(total / unit);
  const rest = String(total % unit).padStart(digits, '0');
  const s = String(seconds % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${s}.${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${s}.${rest}`;
}

/** "440 Hz", "1.2 kHz" */
export function frequencyText(frequencyHz: number): string {
  if (frequencyHz < 1000) return `${Math.round(frequencyHz)} Hz`;
  return `${Number((frequencyHz / 1000).toFixed(frequencyHz < 10_000 ? 2 : 1))} kHz`;
}
