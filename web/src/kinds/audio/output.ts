// The way to the loudspeakers: one context for the page, made when something is first played (browsers allow no sound before
// somebody has pressed something), and one volume.

export interface Output {
  readonly context: AudioContext;
  /** Where everything that sounds is connected. */
  readonly master: GainNode;
}

let output: Output | null = null;
let volume = 1;

export function theOutput(): Output {
  if (output === null) {
    const context = new AudioContext();
    const master = context.createGain();
    master.gain.value = volume;
    master.connect(context.destination);
    output = { context, master };
  }
  return output;
}

/** As an amplitude, from 0 to 1. */
export function setVolume(amplitude: number): void {
  volume = amplitude;
  if (output !== null) output.master.gain.value = amplitude;
}
