// The waveform of a sound that only the browser can decode; of WAV files the server tells it.
import type { SoundFacts } from './sound.svelte';

type Samples = Pick<AudioBuffer, 'length' | 'numberOfChannels' | 'getChannelData'>;

/** Values that are looked at before the page gets its turn: a few milliseconds' worth. */
const VALUES_AT_ONCE = 1 << 18;

export async function measured(
  sound: Samples,
  buckets: number,
): Promise<Pick<SoundFacts, 'least' | 'greatest'>> {
  const count = Math.min(buckets, sound.length);
  const least = new Array<number>(count).fill(Infinity);
  const greatest = new Array<number>(count).fill(-Infinity);
  let untilPause = VALUES_AT_ONCE;
  for (let channel = 0; channel < sound.numberOfChannels; channel++) {
    const samples = sound.getChannelData(channel);
    for (let bucket = 0; bucket < count; bucket++) {
      const end = Math.floor(((bucket + 1) * sound.length) / count);
      let low = least[bucket]!;
      let high = greatest[bucket]!;
      for (let i = Math.floor((bucket * sound.length) / count); i < end; i++) {
        const value = samples[i]!;
        if (value < low) low = value;
        if (value > high) high = value;
        untilPause -= 1;
      }
      least[bucket] = low;
      greatest[bucket] = high;
      if (untilPause < 0) {
        untilPause = VALUES_AT_ONCE;
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
  }
  return { least, greatest };
}
