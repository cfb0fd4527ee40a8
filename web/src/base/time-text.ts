// Places in a sound or a film as people read them.

/** "0:03.2", "1:02:03.4": with hours where there are any. Never later than it is: the end is said when it is reached. */
export function timeText(timeS: number, digits: 1 | 2): string {
  const unit = 10 ** digits;
  const two = (value: number): string => String(value).padStart(2, '0');
  // Sums of floating-point durations fall a little short.
  const total = Math.floor(timeS * unit + 1e-6);
  const seconds = Math.floor(total / unit);
  const minutes = Math.floor(seconds / 60);
  const head = minutes < 60 ? String(minutes) : `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
  return `${head}:${two(seconds % 60)}.${String(total % unit).padStart(digits, '0')}`;
}
