import { secondsText } from './segment-timeline.ts'
import { endMicroseconds, highestFrameRate, type JoinedPart } from './join-parts.ts'
import { segmentCountOf, segmentSpanMicroseconds } from './rendition-segments.ts'
import { playedRenditions, type AudioRendition, type Rendition } from './rendition.ts'
import { mediaPlaylistName, segmentName, subtitleName, subtitlePlaylistId } from './segment-name.ts'
import { defaultAudioTrack, type StreamJob, type StreamSubtitle } from './stream-job.ts'
import { listedSubtitles } from './stream-subtitles.ts'

const MICROSECONDS = 1_000_000

const SOUND_GROUP = 'sound'
const SUBTITLE_GROUP = 'subtitles'

/** The name of a language that nobody knows; the attribute is left out then. */
const UNDETERMINED = 'und'

/** RFC 8216, 7: decimals need 3; groups should not be read by players of less than 4. */
const PLAIN_VERSION = 3
const GROUP_VERSION = 4

/**
 * Text of `master.m3u8` (RFC 8216, 4.3.4): sound tracks and subtitles to choose from, then the renditions, highest
 * bandwidth first (ladder rule 8). The default sound track is part of every picture and has no address of its own;
 * without a picture it is the one rendition.
 * Names are relative and unsigned. The same job gives the same bytes.
 * @param joined the further files of the film
 */
export function masterPlaylist(job: StreamJob, joined: readonly JoinedPart[] = []): string {
  const played = playedRenditions(job.renditions).toSorted((a, b) => b.bitrate - a.bitrate)
  const groups = [...soundLines(job), ...listedSubtitles(job).map(subtitleLine)]
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${groups.length === 0 ? PLAIN_VERSION : GROUP_VERSION}`,
    // Key frames of a copied picture may need what stands before them.
    ...(played.some((one) => one.kind === 'video' && one.isCopy) ? [] : ['#EXT-X-INDEPENDENT-SEGMENTS']),
    ...groups,
    ...played.flatMap((rendition) => [streamLine(job, rendition, joined), mediaPlaylistName(rendition.id)]),
  ]
  return `${lines.join('\n')}\n`
}

function streamLine(job: StreamJob, rendition: Rendition, joined: readonly JoinedPart[]): string {
  const { bitrate, averageBitrate, codecs } = rendition
  const isVideo = rendition.kind === 'video'
  const sounds = soundRenditions(job)
  const all = new Set([codecs, ...sounds.map((sound) => sound.codecs)].flatMap((text) => text.split(',')))
  return tag('EXT-X-STREAM-INF', {
    BANDWIDTH: `${bitrate}`,
    'AVERAGE-BANDWIDTH': averageBitrate === null ? undefined : `${averageBitrate}`,
    RESOLUTION: isVideo ? `${rendition.width}x${rendition.height}` : undefined,
    'FRAME-RATE': isVideo ? highestFrameRate(job, joined).toFixed(3) : undefined,
    CODECS: quoted([...all].join(',')),
    AUDIO: sounds.length === 0 ? undefined : quoted(SOUND_GROUP),
    SUBTITLES: listedSubtitles(job).length === 0 ? undefined : quoted(SUBTITLE_GROUP),
  })
}

/** Nothing where there is nothing to choose. */
function soundLines(job: StreamJob): string[] {
  const sounds = soundRenditions(job)
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
 * A player draws what is marked here by itself, beside the track that a client has chosen and draws on its own. So only forced subtitles,
 * which belong to the picture, are marked; whether a film marks others is said where clients choose (`subtitles` of a job). The track of a
 * viewer's own language is marked where he asks (`withChosenSubtitle`): the text here is that of all viewers.
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

/** Those to choose from beside the default one. */
function soundRenditions(job: Pick<StreamJob, 'renditions' | 'source'>): AudioRendition[] {
  const sounds = job.renditions.filter((rendition) => rendition.kind === 'audio')
  return sounds.filter(({ streamIndex }) => streamIndex !== defaultAudioTrack(job)?.streamIndex)
}

function languageOf({ language }: { language: string }): string | undefined {
  return language === UNDETERMINED ? undefined : quoted(language)
}

function tag(name: string, attributes: Record<string, string | undefined>): string {
  const told = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return `#${name}:${told.map(([attribute, value]) => `${attribute}=${value}`).join(',')}`
}

/**
 * A quoted string may hold neither quotes nor line breaks, and there is no way to write them (RFC 8216, 4.2). Some
 * parsers take apostrophes for quotes.
 */
function quoted(text: string): string {
  return `"${text.replaceAll(/["']/g, '’').replaceAll(/\p{Cc}/gu, ' ')}"`
}

type Segment = { microseconds: number; name: string; isSeam?: boolean }

/**
 * Text of one rendition's playlist: every segment that will ever be, with its exact length, whether encoded yet or not.
 * The target duration is that of the longest segment, rounded (RFC 8216, 4.3.3.1). Further files of the film follow behind a
 * discontinuity, by the addresses of their own jobs.
 * @param options.id what file names bear; null for a job without a ladder
 * @param options.joined the further files of the film
 */
export function mediaPlaylist(
  job: StreamJob,
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
  const segments = pieces.flatMap(({ plan, rendition: one, nameOf }, place): Segment[] => {
    const count = segmentCountOf(plan, one)
    const next = pieces[place + 1]?.plan.startMicroseconds
    return Array.from({ length: count }, (_, index) => {
      const { start, end } = segmentSpanMicroseconds(plan, one, index)
      // Of several renditions one may end a moment before the others; the next file begins after all.
      const until = next !== undefined && index === count - 1 ? next - plan.startMicroseconds : end
      return { microseconds: until - start, name: nameOf(index), isSeam: place > 0 && index === 0 }
    })
  })
  const isIndependent = rendition.kind === 'audio' || !rendition.isCopy
  return listOf(segments, isIndependent ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : [])
}

/**
 * Text of the playlist of one subtitle track: its whole text is one segment, as long as the job. Of a film of several files each has a
 * segment of its own, since discontinuities have to be in all playlists of a film at the same places (RFC 8216, 6.2.4).
 */
export function subtitlePlaylist(
  job: StreamJob,
  { index }: Pick<StreamSubtitle, 'index'>,
  joined: readonly JoinedPart[] = [],
): string {
  if (joined.length === 0) {
    const [first] = job.renditions
    const end = first === undefined ? 0 : segmentSpanMicroseconds(job, first, segmentCountOf(job, first) - 1).end
    return listOf([{ microseconds: end, name: subtitleName(index) }], [])
  }
  const plans = [job, ...joined.map(({ plan }) => plan)]
  const segments = plans.map((plan, part): Segment => {
    const end = plans[part + 1]?.startMicroseconds ?? endMicroseconds(plan)
    return {
      microseconds: end - plan.startMicroseconds,
      name: subtitleName(index, part),
      isSeam: part > 0,
    }
  })
  return listOf(segments, [])
}

function listOf(segments: readonly Segment[], tags: readonly string[]): string {
  const longest = segments.reduce((most, { microseconds }) => Math.max(most, microseconds), 0)
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${PLAIN_VERSION}`,
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.round(longest / MICROSECONDS))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...tags,
    ...segments.flatMap(({ microseconds, name, isSeam = false }) => [
      ...(isSeam ? ['#EXT-X-DISCONTINUITY'] : []),
      `#EXTINF:${secondsText(microseconds)},`,
      name,
    ]),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}

/**
 * A master playlist with one subtitle track marked for players to show by themselves, and no other as the default (RFC 8216, 4.3.4.1.1: one
 * in a group). One that lists no such track stays as it is.
 */
export function withChosenSubtitle(playlist: string, index: number): string {
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

/** An address in the job of a further file of the film. */
const PART_ADDRESS = /^\.\.\/([0-9a-f-]{36})\//

/**
 * A playlist whose every address carries a query (for example `exp=1&sig=a`), on lines of their own and in attributes:
 * many players drop the query of the playlist when they resolve what stands in it (document 4, 4.3).
 * @param queryOf the query for addresses in the job with this id; null for the job that the playlist is of
 */
export function withAddressQuery(playlist: string, queryOf: (jobId: string | null) => string): string {
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
