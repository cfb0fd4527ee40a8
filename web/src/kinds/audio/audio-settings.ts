// How sounds are shown and played, everywhere the same.
import { slotsSetting } from '../../board/tiles/slots';
import {
  choiceSetting,
  numberSetting,
  resetSettings,
  type WithKindWords,
} from '../../state/settings/setting';

/** The two that are compared. */
export const SOUND_A = slotsSetting('sound.a', 1);
export const SOUND_B = slotsSetting('sound.b', 1);

export const PICTURE = choiceSetting('sounds', 'waveform', ['waveform', 'spectrogram', 'both'] as const);
export type SoundPicture = typeof PICTURE.usual;

export const SPEEDS = ['0.5', '0.75', '1', '1.25', '1.5', '2'] as const;
export const SPEED = choiceSetting<(typeof SPEEDS)[number]>('speed', '1', SPEEDS);
/** In percent of the amplitude. */
export const VOLUME = numberSetting('volume', 100, 0, 100);

/** Least width of a tile in CSS pixels. */
export const SOUND_TILE_PX = numberSetting('soundtile', 320, 220, 1200);

export const FREQUENCY_AXIS = choiceSetting('frequency', 'log', ['log', 'linear'] as const);
export const WINDOWS = ['256', '512', '1024', '2048', '4096'] as const;
/** Samples per window: long ones tell frequencies apart, short ones moments. */
export const WINDOW = choiceSetting<(typeof WINDOWS)[number]>('window', '1024', WINDOWS);
/** From the loudest colour down to the darkest. */
export const RANGE_DB = numberSetting('decibels', 80, 20, 140);

const ALL = [PICTURE, SPEED, VOLUME, SOUND_TILE_PX, FREQUENCY_AXIS, WINDOW, RANGE_DB];

export function resetSoundSettings(view: WithKindWords): void {
  resetSettings(view, ALL);
}
