import { framesPerSecond } from '../timeline/segment-timeline.ts'
import { renditionSegmentCount, segmentSpanMicroseconds } from '../timeline/rendition-segments.ts'
import type { AudioRendition, Rendition, VideoRendition } from '../job/rendition.ts'
import type { StreamPlan, StreamPart } from '../job/stream-plan.ts'
import { streamingErrors } from '../errors.ts'

/** A further file of a film, with the plan of its own job. */
export type JoinedPart = Readonly<{ part: StreamPart; plan: StreamPlan }>

/** A further file that continues where the previous file ends. */
export type FollowingPart = Readonly<{ jobId: string; itemId: string; plan: StreamPlan }>

/** Starts are whole milliseconds, which are also whole ticks of the transport stream's clock. */
const START_GRANULARITY_MICROSECONDS = 1000

/**
 * Returns the start of the next file of a film: after the end of all renditions of this one. Playlists extend the last segment of each
 * rendition to that time, so that all renditions have the same duration. Pure.
 */
export function nextFileStartMicroseconds(plan: StreamPlan): number {
  const ends = plan.renditions.map((rendition) => endOf(plan, rendition))
  return (
    plan.startMicroseconds +
    Math.ceil(Math.max(...ends) / START_GRANULARITY_MICROSECONDS) * START_GRANULARITY_MICROSECONDS
  )
}

/** Returns the end of a rendition's last segment, on the clock of its own job. */
function endOf(plan: StreamPlan, rendition: Rendition): number {
  return segmentSpanMicroseconds(plan, rendition, renditionSegmentCount(plan, rendition) - 1).end
}

/** Returns the highest frame rate of the film's files, which players use to choose a rendition. */
export function maxFrameRate(plan: StreamPlan, joined: readonly JoinedPart[]): number {
  return Math.max(...[plan, ...joined.map((one) => one.plan)].map(({ grid }) => framesPerSecond(grid.frameRate)))
}

/**
 * Returns the plan of a film of several files: the plan of its first file with the following files attached. Renditions that not all
 * files have, such as copied video or an additional audio track, are not offered. The other qualities continue with the nearest one.
 * Pure.
 * @param parts plans of the following files, with their starts set
 * @throws AppError `not_transcodable` if some of the files have video and others do not
 */
export function joinParts(own: StreamPlan, parts: readonly FollowingPart[]): StreamPlan {
  if (parts.some(({ plan }) => (plan.source.videoStreamIndex === null) !== (own.source.videoStreamIndex === null))) {
    throw streamingErrors.not_transcodable({ message: 'of the files of the item some have a picture and others none' })
  }
  const chains = own.renditions
    .map((rendition) => ({ rendition, following: parts.map(({ plan }) => continuationOf(own, rendition, plan)) }))
    .filter(({ following }) => !following.includes(undefined))
  return {
    ...own,
    renditions: chains.map(({ rendition, following }) => following.reduce<Rendition>(mostDemanding, rendition)),
    parts: parts.map(({ jobId, itemId, plan }, index) => ({
      jobId,
      itemId,
      startMicroseconds: plan.startMicroseconds,
      renditions: Object.fromEntries(
        chains.flatMap(({ rendition, following }) => {
          const id = following[index]?.id
          return id === undefined ? [] : [[rendition.id, id]]
        }),
      ),
    })),
  }
}

function continuationOf(own: StreamPlan, rendition: Rendition, part: StreamPlan): Rendition | undefined {
  if (rendition.kind === 'audio') return audioContinuation(own, rendition, part)
  const pictures = part.renditions.filter((one) => one.kind === 'video')
  if (rendition.isCopy) return pictures.find(({ isCopy }) => isCopy)
  const encoded = pictures.filter(({ isCopy }) => !isCopy)
  const distance = ({ height }: VideoRendition): number => Math.abs(height - rendition.height)
  return encoded.find(({ id }) => id === rendition.id) ?? encoded.toSorted((a, b) => distance(a) - distance(b))[0]
}

/**
 * Finds the track of the same language at the same place among the tracks of that language. Without video, the played track is followed
 * by the played track.
 */
function audioContinuation(own: StreamPlan, rendition: AudioRendition, part: StreamPlan): Rendition | undefined {
  const sounds = ({ renditions }: StreamPlan): AudioRendition[] => renditions.filter((one) => one.kind === 'audio')
  if (own.source.videoStreamIndex === null && sounds(own)[0] === rendition) return sounds(part)[0]
  const ofLanguage = (plan: StreamPlan): AudioRendition[] =>
    (plan.source.videoStreamIndex === null ? sounds(plan).slice(1) : sounds(plan)).filter(
      ({ language }) => language === rendition.language,
    )
  return ofLanguage(part)[ofLanguage(own).indexOf(rendition)]
}

/** Returns a rendition with the requirements of the most demanding of its files. */
function mostDemanding(rendition: Rendition, following: Rendition | undefined): Rendition {
  if (following === undefined) return rendition
  const bitrate = Math.max(rendition.bitrate, following.bitrate)
  const averages = [rendition.averageBitrate, following.averageBitrate]
  const averageBitrate = averages.includes(null) ? null : Math.max(...averages.map(Number))
  return { ...rendition, bitrate, averageBitrate, codecs: mostDemandingCodecs(rendition.codecs, following.codecs) }
}

/** `avc1.`, then profile, constraints and level of H.264, two hexadecimal digits each (RFC 6381, 3.3). */
const AVC = /^avc1\.([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})$/i

function mostDemandingCodecs(one: string, other: string): string {
  const [own, following] = [one.split(','), other.split(',')]
  const pictures = [...own, ...following].flatMap((word) => {
    const [, profile = '', constraints = '', level = ''] = AVC.exec(word) ?? []
    return profile === '' ? [] : [{ profile, constraints, level }]
  })
  // A second audio codec would announce a second stream.
  const sound = [...own, ...following].find((word) => !AVC.test(word))
  const [highest] = pictures.toSorted((a, b) => parseInt(b.profile, 16) - parseInt(a.profile, 16))
  const [level] = pictures.map((picture) => picture.level).toSorted((a, b) => parseInt(b, 16) - parseInt(a, 16))
  const picture = highest === undefined ? [] : [`avc1.${highest.profile}${highest.constraints}${level}`]
  return [...picture, ...(sound === undefined ? [] : [sound])].join(',')
}
