/** Brightness of one frame: luma of 0 (black) to 255. */
export type FrameBrightness = Readonly<{
  /** Seconds from the start of the film. */
  seconds: number
  /** 90 % of the pixels are at most this bright. */
  ninetiethPercentile: number
  brightest: number
}>

/** Text on black: most pixels are dark and a few are bright. */
const MAX_DARK_LUMA = 28
const MIN_TEXT_LUMA = 80
/** A frame with a picture or without text inside the credits ends them only after this time. */
const MAX_GAP_SECONDS = 25
const MIN_CREDITS_SECONDS = 20
/** Fewer frames with text than this may be a dark scene with lights. */
const MIN_TEXT_FRAMES = 4
/** Share of the frames of credits that show text. */
const MIN_TEXT_SHARE = 0.6
/** A scene after the credits is at most so long. */
const MAX_SCENE_AFTER_SECONDS = 300

/** `notBeforeSeconds`: the time of the last frame before the credits that shows something else. */
export type Credits = Readonly<{ notBeforeSeconds: number; startSeconds: number; endSeconds: number }>

/**
 * Finds credits as text on black in the last part of a film. A scene may follow them. Pure.
 * @param frames of the last part of the film, by time
 * @returns undefined when unsure: a missing marker only hides a button
 */
export function findCredits(frames: readonly FrameBrightness[], durationSeconds: number): Credits | undefined {
  const runs = textRuns(frames)
  const [best] = runs
    .filter((run) => isCredits(run) && durationSeconds - run.endSeconds <= MAX_SCENE_AFTER_SECONDS)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
  if (best === undefined) return undefined
  // Credits without a scene after them last until the end, also through logos and black.
  const isLast = durationSeconds - best.endSeconds <= MAX_GAP_SECONDS
  const { notBeforeSeconds, startSeconds } = best
  return { notBeforeSeconds, startSeconds, endSeconds: isLast ? durationSeconds : best.endSeconds }
}

type Run = { notBeforeSeconds: number; startSeconds: number; endSeconds: number; textFrames: number; frames: number }

function textRuns(frames: readonly FrameBrightness[]): Run[] {
  const runs: Run[] = []
  let between = 0
  let notBeforeSeconds = 0
  for (const frame of frames) {
    const last = runs.at(-1)
    if (!hasTextOnBlack(frame)) {
      between += 1
      if (frame.brightest >= MIN_TEXT_LUMA) notBeforeSeconds = frame.seconds
      continue
    }
    if (last === undefined || frame.seconds - last.endSeconds > MAX_GAP_SECONDS) {
      runs.push({ notBeforeSeconds, startSeconds: frame.seconds, endSeconds: frame.seconds, textFrames: 1, frames: 1 })
    } else {
      last.endSeconds = frame.seconds
      last.textFrames += 1
      last.frames += between + 1
    }
    between = 0
  }
  return runs
}

function hasTextOnBlack({ ninetiethPercentile, brightest }: FrameBrightness): boolean {
  return ninetiethPercentile <= MAX_DARK_LUMA && brightest >= MIN_TEXT_LUMA
}

function isCredits(run: Run): boolean {
  return (
    lengthOf(run) >= MIN_CREDITS_SECONDS &&
    run.textFrames >= MIN_TEXT_FRAMES &&
    run.textFrames >= MIN_TEXT_SHARE * run.frames
  )
}

function lengthOf({ startSeconds, endSeconds }: Run): number {
  return endSeconds - startSeconds
}
