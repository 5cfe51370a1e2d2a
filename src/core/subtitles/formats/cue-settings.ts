/**
 * Returns the WebVTT cue settings for a SubStation position, numbered as on a numeric keypad: 1 to 3 at the bottom, 4 to 6 in the middle,
 * 7 to 9 at the top. Empty for 2, the default position.
 */
export function cueSettingsForPosition(position: number): string {
  if (!Number.isInteger(position) || position < 1 || position > 9 || position === 2) return ''
  const settings: string[] = []
  if (position > 6) settings.push('line:0')
  else if (position > 3) settings.push('line:50%')
  if (position % 3 === 1) settings.push('position:5%', 'align:left')
  if (position % 3 === 0) settings.push('position:95%', 'align:right')
  return settings.join(' ')
}

const POSITION_OVERRIDE = /\{[^{}]{0,300}?\\an([1-9])[^{}]{0,300}\}/

/** Returns the position that an override such as `{\an8}` requests; such blocks also occur in SubRip files. */
export function parsePositionOverride(text: string): number | undefined {
  const position = POSITION_OVERRIDE.exec(text)?.[1]
  return position === undefined ? undefined : Number(position)
}

const SETTING =
  /^(?:align:(?:start|center|end|left|right)|vertical:(?:rl|lr)|line:-?\d{1,4}(?:\.\d{1,4})?%?(?:,(?:start|center|end))?|(?:position|size):\d{1,3}(?:\.\d{1,4})?%(?:,(?:line-left|center|line-right))?)$/

/** Returns the settings of a WebVTT cue that have a meaning without regions (W3C WebVTT, 4.4). */
export function filterCueSettings(settings: string): string {
  return settings
    .split(/[ \t]+/)
    .filter((setting) => SETTING.test(setting))
    .join(' ')
}
