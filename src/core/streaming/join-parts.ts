import { framesPerSecond } from './segment-timeline.ts'
import { segmentCountOf, segmentSpanMicroseconds } from './rendition-segments.ts'
import type { AudioRendition, Rendition, VideoRendition } from './rendition.ts'
import type { StreamJob, StreamPart } from './stream-job.ts'
import { streamingErrors } from './errors.ts'

/** A further file of a film, and what its own job is made from. */
export type JoinedPart = Readonly<{ part: StreamPart; plan: StreamJob }>

/** A further file that is to go on where the file before ends. */
export type PartPlan = Readonly<{ jobId: string; itemId: string; plan: StreamJob }>

/** Starts are whole milliseconds: each is a whole number of ticks of the transport stream, too. */
const GRAIN_MICROSECONDS = 1000

/**
 * Where the next file of a film begins: after all renditions of this one. Playlists let the last segment of each last until then, so that
 * all of them say the same time. Pure.
 */
export function endMicroseconds(plan: StreamJob): number {
  const ends = plan.renditions.map((rendition) => endOf(plan, rendition))
  return plan.startMicroseconds + Math.ceil(Math.max(...ends) / GRAIN_MICROSECONDS) * GRAIN_MICROSECONDS
}

/** Where the last segment of a rendition ends, on the clock of its own job. */
function endOf(plan: StreamJob, rendition: Rendition): number {
  return segmentSpanMicroseconds(plan, rendition, segmentCountOf(plan, rendition) - 1).end
}

/** The highest frame rate of the film's files, which players choose by. */
export function highestFrameRate(plan: StreamJob, joined: readonly JoinedPart[]): number {
  return Math.max(...[plan, ...joined.map((one) => one.plan)].map(({ grid }) => framesPerSecond(grid.frameRate)))
}

/**
 * The plan of a film of several files: that of its first file, with what follows it. What is not in all files is not offered: a copied
 * picture, a further sound track. The other qualities go on with the nearest one. Pure.
 * @param parts plans of the files that follow, whose starts are set
 * @throws AppError `not_transcodable` where some of the files have a picture and others none
 */
export function joinParts(own: StreamJob, parts: readonly PartPlan[]): StreamJob {
  if (parts.some(({ plan }) => (plan.source.videoStreamIndex === null) !== (own.source.videoStreamIndex === null))) {
    throw streamingErrors.not_transcodable({ message: 'of the files of the item some have a picture and others none' })
  }
  const chains = own.renditions
    .map((rendition) => ({ rendition, following: parts.map(({ plan }) => followerOf(own, rendition, plan)) }))
    .filter(({ following }) => !following.includes(undefined))
  return {
    ...own,
    renditions: chains.map(({ rendition, following }) => following.reduce<Rendition>(widest, rendition)),
    parts: parts.map(({ jobId, itemId, plan }, place) => ({
      jobId,
      itemId,
      startMicroseconds: plan.startMicroseconds,
      renditions: Object.fromEntries(
        chains.flatMap(({ rendition, following }) => {
          const id = following[place]?.id
          return id === undefined ? [] : [[rendition.id, id]]
        }),
      ),
    })),
  }
}

function followerOf(own: StreamJob, rendition: Rendition, part: StreamJob): Rendition | undefined {
  if (rendition.kind === 'audio') return soundAfter(own, rendition, part)
  const pictures = part.renditions.filter((one) => one.kind === 'video')
  if (rendition.isCopy) return pictures.find(({ isCopy }) => isCopy)
  const encoded = pictures.filter(({ isCopy }) => !isCopy)
  const distance = ({ height }: VideoRendition): number => Math.abs(height - rendition.height)
  return encoded.find(({ id }) => id === rendition.id) ?? encoded.toSorted((a, b) => distance(a) - distance(b))[0]
}

/** The track of the same language that comes as the same one of them; where there is no picture, the played track follows the played one. */
function soundAfter(own: StreamJob, rendition: AudioRendition, part: StreamJob): Rendition | undefined {
  const sounds = ({ renditions }: StreamJob): AudioRendition[] => renditions.filter((one) => one.kind === 'audio')
  if (own.source.videoStreamIndex === null && sounds(own)[0] === rendition) return sounds(part)[0]
  const ofLanguage = (plan: StreamJob): AudioRendition[] =>
    (plan.source.videoStreamIndex === null ? sounds(plan).slice(1) : sounds(plan)).filter(
      ({ language }) => language === rendition.language,
    )
  return ofLanguage(part)[ofLanguage(own).indexOf(rendition)]
}

/** A rendition that says what the most demanding of its files needs. */
function widest(rendition: Rendition, following: Rendition | undefined): Rendition {
  if (following === undefined) return rendition
  const bitrate = Math.max(rendition.bitrate, following.bitrate)
  const averages = [rendition.averageBitrate, following.averageBitrate]
  const averageBitrate = averages.includes(null) ? null : Math.max(...averages.map(Number))
  return { ...rendition, bitrate, averageBitrate, codecs: widestCodecs(rendition.codecs, following.codecs) }
}

/** `avc1.`, profile, constraints and level of H.264, two hexadecimal digits each (RFC 6381, 3.3). */
const AVC = /^avc1\.([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})$/i

function widestCodecs(one: string, other: string): string {
  const [own, following] = [one.split(','), other.split(',')]
  const pictures = [...own, ...following].flatMap((word) => {
    const [, profile = '', constraints = '', level = ''] = AVC.exec(word) ?? []
    return profile === '' ? [] : [{ profile, constraints, level }]
  })
  // A second kind of sound would be taken for a second stream.
  const sound = [...own, ...following].find((word) => !AVC.test(word))
  const [highest] = pictures.toSorted((a, b) => parseInt(b.profile, 16) - parseInt(a.profile, 16))
  const [level] = pictures.map((picture) => picture.level).toSorted((a, b) => parseInt(b, 16) - parseInt(a, 16))
  const picture = highest === undefined ? [] : [`avc1.${highest.profile}${highest.constraints}${level}`]
  return [...picture, ...(sound === undefined ? [] : [sound])].join(',')
}
