import { mediaPlaylistName } from '../job/segment-name.ts'

const VARIANT = /^#EXT-X-STREAM-INF:(?:.*,)?BANDWIDTH=(?<bandwidth>\d+)/

/** The bit rate of a variant in bits per second; undefined for another line. */
function bandwidthOf(line: string): number | undefined {
  const text = VARIANT.exec(line)?.groups?.['bandwidth']
  return text === undefined ? undefined : Number(text)
}

/** A master playlist with only the variants up to a bandwidth in kbit/s, and at least the lowest one. Pure. */
export function limitPlaylistBandwidth(master: string, maxKbps: number): string {
  const lines = master.split('\n')
  const offered = lines.flatMap((line) => bandwidthOf(line) ?? [])
  const limit = Math.max(maxKbps * 1000, Math.min(...offered))
  // The address of a variant is on the line after it.
  const isTooMuch = (index: number): boolean => (bandwidthOf(lines[index] ?? '') ?? 0) > limit
  return lines.filter((_, index) => !isTooMuch(index) && !isTooMuch(index - 1)).join('\n')
}

/**
 * The bit rate in kbit/s of a variant of a master playlist without queries, and whether it is the lowest one. Undefined for additional audio
 * tracks and subtitles, whose bit rates the variants include. Pure.
 */
export function variantBitRate(
  master: string,
  rendition: string | null,
): { kbps: number; isLowest: boolean } | undefined {
  const lines = master.split('\n')
  const offered = lines.flatMap((line) => bandwidthOf(line) ?? [])
  const place = lines.indexOf(mediaPlaylistName(rendition))
  const bandwidth = bandwidthOf(lines[place - 1] ?? '')
  if (bandwidth === undefined) return undefined
  return { kbps: Math.ceil(bandwidth / 1000), isLowest: bandwidth === Math.min(...offered) }
}
