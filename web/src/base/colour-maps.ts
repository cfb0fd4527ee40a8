// False colours for pictures of one channel: 33 samples of each map, straight lines between them. That is within 4 of 255 of
// the full maps, which nobody sees, in a twelfth of their size. viridis and magma are by Stéfan van der Walt and Nathaniel
// Smith (CC0), turbo is by Anton Mikhailov, coolwarm by Kenneth Moreland; the samples were taken from Matplotlib.
export const COLOUR_MAPS = ['none', 'viridis', 'magma', 'turbo', 'coolwarm'] as const;
export type ColourMap = (typeof COLOUR_MAPS)[number];

type RealMap = Exclude<ColourMap, 'none'>;

const SAMPLES: Readonly<Record<RealMap, string>> = {
  viridis:
    '440154470d6048186a482374472d7b4537814240863e49893b528b375b8d33638d2f6b8e2c728e297a8e26828e23898e21918c' +
    '1f988b1fa08822a78528ae8032b67a3fbc734ec36b5ec96270cf5784d44b98d83eaddc30c2df23d8e219ece51bfde725',
  magma:
    '0000040303120a0822130d341d114729115a36106b440f7651127c5d177f6a1c81762181832681902a819c2e7faa337db73779' +
    'c43c75d0416fdc4869e75263ef5d5ef56b5cf9795dfc8961fd9869fea772feb67cfec488fed395fde2a3fcf0b2fcfdbf',
  turbo:
    '30123b392a734040a24456c7466be34680f64294ff37a8fa28bceb1ccdd818ddc21fe9af32f2984ef97d6dfe628bff4ba4fc3c' +
    'b9f635cdec34dfdf37eecf3af8be39fdac34fe962bfb7e21f46617eb500edf3f08d02f05be2102a91601920b017a0403',
  coolwarm:
    '3b4cc0445acc4e68d85875e16282ea6c8ff1779af782a6fb8db0fe98b9ffa3c2feaec9fcb9d0f9c3d5f4ccd9edd5dbe5dddcdc' +
    'e5d8d1ecd3c5f1ccb8f5c4acf7ba9ff7b093f6a586f4987af08b6eeb7d62e46e56dd5f4bd44e41ca3b37be242eb40426',
};

export type Rgb = readonly [red: number, green: number, blue: number];

const parsed = new Map<RealMap, readonly Rgb[]>();

function samplesOf(map: RealMap): readonly Rgb[] {
  let samples = parsed.get(map);
  if (samples === undefined) {
    const channelAt = (at: number): number => parseInt(SAMPLES[map].slice(at, at + 2), 16) / 255;
    samples = Array.from({ length: SAMPLES[map].length / 6 }, (_, i) => [
      channelAt(6 * i),
      channelAt(6 * i + 2),
      channelAt(6 * i + 4),
    ]);
    parsed.set(map, samples);
  }
  return samples;
}

/** The colour of a value from 0 to 1, as channels from 0 to 1; without a map it is grey. */
export function colourIn(map: ColourMap, value: number): Rgb {
  if (map === 'none') return [value, value, value];
  const samples = samplesOf(map);
  const place = Math.min(Math.max(value, 0), 1) * (samples.length - 1);
  const before = samples[Math.floor(place)]!;
  const after = samples[Math.ceil(place)]!;
  const share = place % 1;
  const between = (channel: 0 | 1 | 2): number =>
    before[channel] + (after[channel] - before[channel]) * share;
  return [between(0), between(1), between(2)];
}

/** For a bar in a style sheet, from left to right. */
export function colourGradient(map: ColourMap): string {
  const stops = Array.from({ length: 33 }, (_, i) => {
    const [red, green, blue] = colourIn(map, i / 32).map((channel) => Math.round(255 * channel));
    return `rgb(${red} ${green} ${blue})`;
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
