import type { MediaTools } from '../../platform/media-tools/index.ts'
import { markersFromChapters, type TitledChapter } from '../markers/markers-from-chapters.ts'
import type { Fingerprint } from '../fingerprints/fingerprint.ts'
import type { Marker } from '../film/marker.ts'
import { chooseMarkers } from '../markers/choose-markers.ts'
import type { CoarseMarker, SoundMarkerType } from '../motifs/season-markers.ts'
import { createBoundaryReader, type SoundTrack } from './boundary-reader.ts'
import { refineMarkers, type RefinedMarker } from './refine-markers.ts'
import type { MarkerTemplate } from './match-templates.ts'
import { createMatchingThread, type MatchingThread } from './matching-thread.ts'

/** An episode whose sound was read. Other editions of an episode are episodes of their own here. */
export type SeasonEpisode = Readonly<{
  track: SoundTrack
  fingerprint: Fingerprint
  durationSeconds: number
  chapters: readonly TitledChapter[]
  /** The markers that the sound gave when the season was compared last; undefined for a new or changed episode. */
  known: readonly Marker[] | undefined
}>

/** A type of marker that most of the compared episodes have is expected in a new episode too. */
const EXPECTED_SHARE = 0.6

/**
 * The markers of each episode of a season, by index. If the season was compared before, only its new episodes are searched for the known
 * markers. The whole season is compared again if a new episode lacks an expected marker.
 * @param episodes in the order of the season
 * @returns undefined for the episodes that keep their markers
 * @throws the signal's reason when aborted
 */
export async function detectSeasonMarkers(
  { mediaTools }: { mediaTools: Pick<MediaTools, 'decodeAudio'> },
  episodes: readonly SeasonEpisode[],
  signal: AbortSignal,
): Promise<(Marker[] | undefined)[]> {
  await using matching = createMatchingThread()
  const fingerprints = episodes.map(({ fingerprint }) => fingerprint)
  const tools = {
    readEdge: createBoundaryReader(
      { mediaTools },
      episodes.map(({ track }) => track),
      signal,
    ),
    matching,
    chapterSeconds: episodes.map(({ chapters }) => chapters.map(({ startSeconds }) => startSeconds)),
    durationSeconds: episodes.map(({ durationSeconds }) => durationSeconds),
    signal,
  }
  const added = await matchNew(matching, episodes, fingerprints)
  if (added !== undefined) {
    const markers = await refineMarkers(added, episodes.length, tools)
    return episodes.map(({ known }, episode) =>
      known === undefined ? markersOf(episodes, episode, markers) : undefined,
    )
  }
  const { markers: coarse, episodeCount } = await matching.season(fingerprints)
  const markers = await refineMarkers(coarse, episodeCount, tools)
  return episodes.map((_, episode) => markersOf(episodes, episode, markers))
}

/** Undefined if the season must be compared as a whole. */
async function matchNew(
  matching: MatchingThread,
  episodes: readonly SeasonEpisode[],
  fingerprints: readonly Fingerprint[],
): Promise<CoarseMarker[] | undefined> {
  const known = episodes.flatMap(({ known: markers }, episode) => (markers === undefined ? [] : [{ episode, markers }]))
  const added = [...episodes.keys()].filter((episode) => episodes[episode]?.known === undefined)
  const expected = (['intro', 'outro'] as const).filter((type) => {
    const count = known.filter(({ markers }) => markers.some((marker) => marker.type === type)).length
    return count >= 2 && count >= EXPECTED_SHARE * known.length
  })
  if (expected.length === 0) return undefined
  const templates = known.flatMap(({ episode, markers }) =>
    markers.flatMap((marker) => templateOf(episode, marker, expected)),
  )
  const recognized = await matching.templates(added, templates, fingerprints)
  const isFound = (episode: number): boolean =>
    expected.every((type) => recognized.some((marker) => marker.episode === episode && marker.type === type))
  return added.every(isFound) ? recognized : undefined
}

function templateOf(episode: number, marker: Marker, expected: readonly SoundMarkerType[]): MarkerTemplate[] {
  const type = expected.find((one) => one === marker.type)
  if (type === undefined || marker.source !== 'sound') return []
  const [startSeconds, endSeconds] = [marker.startMilliseconds / 1000, marker.endMilliseconds / 1000]
  // `confidence` contains the support, see `refineMarkers`.
  return [{ episode, type, startSeconds, endSeconds, support: Math.max(0, (marker.confidence - 0.6) / 0.4) }]
}

function markersOf(episodes: readonly SeasonEpisode[], episode: number, markers: readonly RefinedMarker[]): Marker[] {
  const own = markers.filter((marker) => marker.episode === episode)
  const ofSound = own.map(({ type, startMilliseconds, endMilliseconds, source, confidence }): Marker => {
    return { type, startMilliseconds, endMilliseconds, source, confidence }
  })
  return chooseMarkers({ ofChapters: markersFromChapters(episodes[episode]?.chapters ?? []), ofSound })
}
