import { formatMicrosecondsAsSeconds } from '../timeline/segment-timeline.ts'
import { nextFileStartMicroseconds, maxFrameRate, type JoinedPart } from './join-parts.ts'
import { renditionSegmentCount, segmentSpanMicroseconds } from '../timeline/rendition-segments.ts'
import { listPlayedRenditions, type AudioRendition, type Rendition } from '../job/rendition.ts'
import { mediaPlaylistName, segmentName, subtitleName, subtitlePlaylistId } from '../job/segment-name.ts'
import { defaultAudioTrack, type StreamPlan, type StreamSubtitle } from '../job/stream-plan.ts'
import { visibleSubtitles } from '../job/stream-subtitles.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

const SOUND_GROUP = 'sound'
const SUBTITLE_GROUP = 'subtitles'

/** Tag of an unknown language; the attribute is then omitted. */
const UNDETERMINED = 'und'

/** RFC 8216, 7: decimal durations need version 3; groups need version 4. */
const PLAIN_VERSION = 3
const GROUP_VERSION = 4

/**
 * Returns the text of `master.m3u8` (RFC 8216, 4.3.4): the audio tracks and subtitles, then the renditions, highest bandwidth first. The
 * default audio track is part of every video rendition and has no URI; without video it is the only rendition. Names are relative and
 * unsigned. The output is deterministic.
 * @param joined the further files of the film
 */
export function masterPlaylist(job: StreamPlan, joined: readonly JoinedPart[] = []): string {
  const played = listPlayedRenditions(job.renditions).toSorted((a, b) => b.bitrate - a.bitrate)
  const groups = [...audioGroupLines(job), ...visibleSubtitles(job).map(subtitleLine)]
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${groups.length === 0 ? PLAIN_VERSION : GROUP_VERSION}`,
    // Key frames of copied video may refer to preceding frames.
    ...(played.some((one) => one.kind === 'video' && one.isCopy) ? [] : ['#EXT-X-INDEPENDENT-SEGMENTS']),
    ...groups,
    ...played.flatMap((rendition) => [streamLine(job, rendition, joined), mediaPlaylistName(rendition.id)]),
  ]
  return `${lines.join('\n')}\n`
}

function streamLine(job: StreamPlan, rendition: Rendition, joined: readonly JoinedPart[]): string {
  const { codecs } = rendition
  const isVideo = rendition.kind === 'video'
  const sounds = additionalAudioRenditions(job)
  const { peak, average } = bandwidthOf(rendition, sounds)
  const all = new Set([codecs, ...sounds.map((sound) => sound.codecs)].flatMap((text) => text.split(',')))
  return tag('EXT-X-STREAM-INF', {
    BANDWIDTH: `${peak}`,
    'AVERAGE-BANDWIDTH': average === null ? undefined : `${average}`,
    RESOLUTION: isVideo ? `${rendition.width}x${rendition.height}` : undefined,
    'FRAME-RATE': isVideo ? maxFrameRate(job, joined).toFixed(3) : undefined,
    CODECS: quoted([...all].join(',')),
    AUDIO: sounds.length === 0 ? undefined : quoted(SOUND_GROUP),
    SUBTITLES: visibleSubtitles(job).length === 0 ? undefined : quoted(SUBTITLE_GROUP),
  })
}

/**
 * Returns the bandwidth of everything that is fetched together. A video rendition already includes its separate audio; without video,
 * another audio track is fetched in addition to the played one.
 */
function bandwidthOf(
  { kind, bitrate, averageBitrate }: Rendition,
  sounds: readonly AudioRendition[],
): { peak: number; average: number | null } {
  if (kind === 'video' || sounds.length === 0) return { peak: bitrate, average: averageBitrate }
  const averages = sounds.map((sound) => sound.averageBitrate)
  return {
    peak: bitrate + Math.max(...sounds.map((sound) => sound.bitrate)),
    average:
      averageBitrate === null || averages.includes(null) ? null : averageBitrate + Math.max(...averages.map(Number)),
  }
}

/** Returns the audio group; empty if there is only one track. */
function audioGroupLines(job: StreamPlan): string[] {
  const sounds = additionalAudioRenditions(job)
  const main = defaultAudioTrack(job)
  if (main === undefined || sounds.length === 0) return []
  return [main, ...sounds].map((sound) =>
    tag('EXT-X-MEDIA', {
      TYPE: 'AUDIO',
      'GROUP-ID': quoted(SOUND_GROUP),
      NAME: quoted(sound.label),
      LANGUAGE: languageOf(sound),
      DEFAULT: sound === main ? 'YES' : 'NO',
      AUTOSELECT: 'YES',
      URI: sound === main ? undefined : quoted(mediaPlaylistName((sound as AudioRendition).id)),
    }),
  )
}

/**
 * Returns the tag of one subtitle track. If a track is marked here, the player renders it on its own, in addition to the track that the
 * client has chosen and renders. Therefore only forced subtitles are marked, which belong to the video; the job's `subtitles` list says
 * whether the film marks others. The track of a viewer's own language is marked per request (`markDefaultSubtitle`), because this text is
 * shared by all viewers.
 */
function subtitleLine(subtitle: StreamSubtitle): string {
  const { isForced, isHearingImpaired } = subtitle
  return tag('EXT-X-MEDIA', {
    TYPE: 'SUBTITLES',
    'GROUP-ID': quoted(SUBTITLE_GROUP),
    NAME: quoted(subtitle.label),
    LANGUAGE: languageOf(subtitle),
    DEFAULT: isForced && subtitle.isDefault ? 'YES' : 'NO',
    AUTOSELECT: isForced ? 'YES' : 'NO',
    FORCED: isForced ? 'YES' : undefined,
    CHARACTERISTICS: isHearingImpaired
      ? quoted('public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound')
      : undefined,
    URI: quoted(mediaPlaylistName(subtitlePlaylistId(subtitle.index))),
  })
}

/** Returns the audio renditions besides the default track. */
function additionalAudioRenditions(job: Pick<StreamPlan, 'renditions' | 'source'>): AudioRendition[] {
  const sounds = job.renditions.filter((rendition) => rendition.kind === 'audio')
  return sounds.filter(({ streamIndex }) => streamIndex !== defaultAudioTrack(job)?.streamIndex)
}

function languageOf({ language }: { language: string }): string | undefined {
  return language === UNDETERMINED ? undefined : quoted(language)
}

function tag(name: string, attributes: Record<string, string | undefined>): string {
  const present = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return `#${name}:${present.map(([attribute, value]) => `${attribute}=${value}`).join(',')}`
}

/**
 * A quoted string cannot contain quotes or line breaks, and there is no escape for them (RFC 8216, 4.2). Some parsers treat apostrophes as
 * quotes.
 */
function quoted(text: string): string {
  return `"${text.replaceAll(/["']/g, '’').replaceAll(/\p{Cc}/gu, ' ')}"`
}

type Segment = { microseconds: number; name: string; isDiscontinuity?: boolean }

/**
 * Returns the text of one rendition's playlist: all segments with their exact durations, encoded or not. The target duration is the
 * duration of the longest segment, rounded (RFC 8216, 4.3.3.1). Further files of the film follow after a discontinuity, with the addresses
 * of their own jobs.
 * @param options.id rendition id in file names; null for a job without a ladder
 * @param options.joined the further files of the film
 */
export function mediaPlaylist(
  job: StreamPlan,
  rendition: Rendition,
  { id = rendition.id, joined = [] }: { id?: string | null; joined?: readonly JoinedPart[] } = {},
): string {
  const pieces = [
    { plan: job, rendition, nameOf: (index: number) => segmentName(id, index) },
    ...joined.flatMap(({ part, plan }) => {
      const following = plan.renditions.find((one) => one.id === part.renditions[rendition.id])
      const nameOf = (index: number): string => `../${part.jobId}/${segmentName(following?.id ?? null, index)}`
      return following === undefined ? [] : [{ plan, rendition: following, nameOf }]
    }),
  ]
  const segments = pieces.flatMap(({ plan, rendition: one, nameOf }, pieceIndex): Segment[] => {
    const count = renditionSegmentCount(plan, one)
    const next = pieces[pieceIndex + 1]?.plan.startMicroseconds
    return Array.from({ length: count }, (_, index) => {
      const { start, end } = segmentSpanMicroseconds(plan, one, index)
      // A rendition may end slightly before the others; the next file begins after all of them.
      const until = next !== undefined && index === count - 1 ? next - plan.startMicroseconds : end
      return { microseconds: until - start, name: nameOf(index), isDiscontinuity: pieceIndex > 0 && index === 0 }
    })
  })
  const isIndependent = rendition.kind === 'audio' || !rendition.isCopy
  return listOf(segments, isIndependent ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : [])
}

/**
 * Returns the text of the playlist of one subtitle track: its whole text is one segment, as long as the job. A film of several files has
 * one segment per file, because discontinuities must be at the same places in all playlists (RFC 8216, 6.2.4).
 */
export function subtitlePlaylist(
  job: StreamPlan,
  { index }: Pick<StreamSubtitle, 'index'>,
  joined: readonly JoinedPart[] = [],
): string {
  if (joined.length === 0) {
    const [first] = job.renditions
    const end = first === undefined ? 0 : segmentSpanMicroseconds(job, first, renditionSegmentCount(job, first) - 1).end
    return listOf([{ microseconds: end, name: subtitleName(index) }], [])
  }
  const plans = [job, ...joined.map(({ plan }) => plan)]
  const segments = plans.map((plan, part): Segment => {
    const end = plans[part + 1]?.startMicroseconds ?? nextFileStartMicroseconds(plan)
    return {
      microseconds: end - plan.startMicroseconds,
      name: subtitleName(index, part),
      isDiscontinuity: part > 0,
    }
  })
  return listOf(segments, [])
}

function listOf(segments: readonly Segment[], tags: readonly string[]): string {
  const longest = segments.reduce((most, { microseconds }) => Math.max(most, microseconds), 0)
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${PLAIN_VERSION}`,
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.round(longest / MICROSECONDS_PER_SECOND))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...tags,
    ...segments.flatMap(({ microseconds, name, isDiscontinuity = false }) => [
      ...(isDiscontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
      `#EXTINF:${formatMicrosecondsAsSeconds(microseconds)},`,
      name,
    ]),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Returns a master playlist in which one subtitle track is marked for automatic display and no other is the default (RFC 8216, 4.3.4.1.1:
 * one per group). A playlist without this track is returned unchanged.
 */
export function markDefaultSubtitle(playlist: string, index: number): string {
  const address = `URI="${mediaPlaylistName(subtitlePlaylistId(index))}"`
  const lines = playlist.split('\n')
  const isSubtitle = (line: string): boolean => line.startsWith('#EXT-X-MEDIA:TYPE=SUBTITLES,')
  if (!lines.some((line) => isSubtitle(line) && line.endsWith(address))) return playlist
  return lines
    .map((line) => {
      if (!isSubtitle(line)) return line
      if (!line.endsWith(address)) return line.replace(',DEFAULT=YES,', ',DEFAULT=NO,')
      return line.replace(/,DEFAULT=(?:YES|NO),AUTOSELECT=(?:YES|NO),/, ',DEFAULT=YES,AUTOSELECT=YES,')
    })
    .join('\n')
}

/** An address within the job of a further file of the film. */
const PART_ADDRESS = /^\.\.\/([0-9a-f-]{36})\//

/**
 * Adds a query (for example `exp=1&sig=a`) to every address of a playlist, on lines and in attributes. Many players drop the playlist's own
 * query when they resolve relative addresses.
 * @param queryOf the query for addresses of the job with this id; null for the playlist's own job
 */
export function addQueryToAddresses(playlist: string, queryOf: (jobId: string | null) => string): string {
  const queries = new Map<string | null, string>()
  const queryFor = (address: string): string => {
    const jobId = PART_ADDRESS.exec(address)?.[1] ?? null
    const query = queries.get(jobId) ?? queryOf(jobId)
    queries.set(jobId, query)
    return query
  }
  return playlist
    .split('\n')
    .map((line) => {
      if (line.startsWith('#'))
        return line.replace(/\bURI="([^"]*)"/, (_, address: string) => `URI="${address}?${queryFor(address)}"`)
      return line === '' ? line : `${line}?${queryFor(line)}`
    })
    .join('\n')
}
