import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../../../platform/media-tools/index.ts'

/** A picture with its place in a grid. */
export type StoryboardCue = Readonly<{
  startSeconds: number
  endSeconds: number
  /** Address of the grid. */
  url: string
  /** Place in the grid in pixels. */
  x: number
  y: number
}>

/** Writes a storyboard: WebVTT whose cues refer to a part of a picture (Media Fragments 1.0, 4.2.2). */
export function writeStoryboard(cues: readonly StoryboardCue[]): string {
  const blocks = cues.map(
    ({ startSeconds, endSeconds, url, x, y }) =>
      `${vttTime(startSeconds)} --> ${vttTime(endSeconds)}\n${url}#xywh=${x},${y},${PICTURE_WIDTH},${PICTURE_HEIGHT}\n`,
  )
  return ['WEBVTT\n', ...blocks].join('\n')
}

/** `01:02:03.456`. */
function vttTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  const two = (value: number): string => value.toString().padStart(2, '0')
  const whole = Math.floor(milliseconds / 1000)
  const clock = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(two).join(':')
  return `${clock}.${(milliseconds % 1000).toString().padStart(3, '0')}`
}
