import type { MediaItemDetail, MediaStream } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { languageName, languageTag, uniqueLabel } from '../tracks/index.ts'
import { selectSubtitleSidecars, type SubtitleSidecar } from './queries.ts'
import { selectDownloadedSubtitles, type DownloadedSubtitle } from './providers/queries.ts'
import { formatDownloadLocator, type SubtitleTrack } from './subtitle-track.ts'

/** Text codecs, by their ffmpeg names. Other codecs are bitmaps or unknown. */
const TEXT_CODECS: ReadonlySet<string> = new Set(['ass', 'ssa', 'subrip', 'srt', 'mov_text', 'webvtt', 'vtt', 'text'])

/** Supported formats of separate subtitle files. */
const TEXT_FORMATS: ReadonlySet<string> = new Set(['srt', 'vtt', 'ass', 'ssa'])

/**
 * Returns the text subtitles of an item: embedded subtitles, then separate files, then downloaded subtitles. At most one is the default,
 * the first that is marked as default.
 */
export async function listSubtitleTracks(
  services: { db: Connection },
  item: Pick<MediaItemDetail, 'id' | 'streams'>,
): Promise<SubtitleTrack[]> {
  const tracks = (await listAllTracks(services, item)).filter((track) => isTextTrack(track))
  const labels = new Set<string>()
  const preferred = tracks.find(({ isDefault }) => isDefault)
  return tracks.map((track) =>
    Object.assign(track, { label: uniqueLabel(formatTrackLabel(track), labels), isDefault: track === preferred }),
  )
}

export type UnlabelledTrack = Omit<SubtitleTrack, 'label'>

/** Returns all subtitles of an item in any format, with their numbers in addresses. */
export async function listAllTracks(
  { db }: { db: Connection },
  { id, streams }: Pick<MediaItemDetail, 'id' | 'streams'>,
): Promise<UnlabelledTrack[]> {
  const inside = streams.filter(({ type }) => type === 'subtitle')
  const beside = await selectSubtitleSidecars(db, id)
  const downloaded = await selectDownloadedSubtitles(db, id)
  return [
    ...inside.map((stream, index) => embeddedTrack(stream, index)),
    ...beside.map((sidecar, index) => externalTrack(sidecar, inside.length + index)),
    ...downloaded.map((text, index) => downloadedTrack(text, inside.length + beside.length + index)),
  ]
}

/** Returns whether a track is text in a supported format. */
export function isTextTrack({ codec, source }: UnlabelledTrack): boolean {
  return (source === 'embedded' ? TEXT_CODECS : TEXT_FORMATS).has(codec)
}

function embeddedTrack(stream: MediaStream, index: number): UnlabelledTrack {
  return {
    id: stream.id,
    index,
    streamIndex: stream.index,
    codec: stream.codec ?? 'unknown',
    language: languageTag(stream.language),
    title: stream.title,
    source: 'embedded',
    isDefault: stream.isDefault,
    isForced: stream.details['isForced'] === true,
    isHearingImpaired: stream.details['isHearingImpaired'] === true,
    path: null,
  }
}

function externalTrack({ path, pathHash, details }: SubtitleSidecar, index: number): UnlabelledTrack {
  return {
    id: pathHash.slice(0, 32),
    index,
    streamIndex: null,
    codec: details.format,
    language: languageTag(details.language),
    title: details.title,
    source: 'external',
    isDefault: details.default,
    isForced: details.forced,
    isHearingImpaired: details.hearing_impaired,
    path,
  }
}

function downloadedTrack(
  { id, format, language, title, isHearingImpaired }: DownloadedSubtitle,
  index: number,
): UnlabelledTrack {
  return {
    id,
    index,
    streamIndex: null,
    codec: format,
    language: languageTag(language),
    title,
    source: 'external',
    isDefault: false,
    isForced: false,
    isHearingImpaired,
    path: formatDownloadLocator(id),
  }
}

/** Returns a label such as `German (forced)` or `English (SDH) · Commentary`. A title that contains the language is used on its own. */
export function formatTrackLabel({ language, title, index, isForced, isHearingImpaired }: UnlabelledTrack): string {
  const name = languageName(language)
  const saysLanguage = name !== null && title?.toLowerCase().includes(name.toLowerCase()) === true
  const marks = [isForced ? 'forced' : null, isHearingImpaired ? 'SDH' : null].filter(
    (mark) => mark !== null && title?.toLowerCase().includes(mark.toLowerCase()) !== true,
  )
  const words = [saysLanguage ? null : (name ?? (title === null ? `Subtitles ${index + 1}` : null)), title]
  const label = words.filter((word) => word !== null).join(' · ')
  return marks.length === 0 ? label : `${label} (${marks.join(', ')})`
}
