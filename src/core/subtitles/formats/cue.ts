/** One subtitle on the screen. */
export type Cue = {
  /** On the clock of its file. */
  startMilliseconds: number
  endMilliseconds: number
  /** Cue text of WebVTT: escaped, its tags balanced, no empty line. */
  text: string
  /** Cue settings of WebVTT; empty for the usual place at the bottom. */
  settings: string
}

/** More lines than a day of talking. What a file has beyond is left out. */
export const MAX_CUES = 100_000

/** A subtitle of this many characters covers the picture many times. */
export const MAX_CUE_CHARACTERS = 4000
