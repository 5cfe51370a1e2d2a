/** A subtitle that is shown for a time. */
export type Cue = {
  /** Start on the clock of the file. */
  startMilliseconds: number
  endMilliseconds: number
  /** WebVTT cue text: escaped, with balanced tags and without empty lines. */
  text: string
  /** WebVTT cue settings; empty for the default position at the bottom. */
  settings: string
}

/** Limit per file, more than a day of dialogue. Further cues are dropped. */
export const MAX_CUES = 100_000

/** Limit per cue; a text of this length exceeds the screen many times. */
export const MAX_CUE_CHARACTERS = 4000
