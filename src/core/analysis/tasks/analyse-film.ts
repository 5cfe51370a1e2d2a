import { getItem } from '../../catalogue/index.ts'
import type { Connection, Database } from '../../platform/database/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import { markersFromChapters } from '../markers/markers-from-chapters.ts'
import { readCredits } from '../credits/read-credits.ts'
import type { AnalysedFile, AnalysisFeature, FeatureOutcome } from '../film/analysed-file.ts'
import { BACKGROUND_NICENESS } from '../film/background-niceness.ts'
import { chooseMarkers } from '../markers/choose-markers.ts'
import type { Marker } from '../film/marker.ts'
import { chooseVideoStream } from '../film-reading/film-streams.ts'
import type { FrameConsumer } from '../film-reading/frame-consumer.ts'
import { readFilm } from '../film-reading/read-film.ts'
import { writeAnalysis } from '../queries/analyses.ts'
import type { Film } from '../queries/films.ts'
import { replaceDetectedMarkers } from '../queries/markers.ts'

export type AnalysisServices = {
  db: Database
  mediaTools: Pick<MediaTools, 'readPicturesAndFingerprint' | 'componentsOf' | 'decodeAudio' | 'frameMetadata'>
}

/** What an analysis found out about a film; not stored yet. */
export type FilmAnalysis = Readonly<{
  file: AnalysedFile
  results: readonly Readonly<{
    feature: AnalysisFeature
    result: FeatureOutcome
    fingerprint: Buffer | null
    language: string | null
  }>[]
  /** The markers of a film that is compared with no others; null if they were not wanted. */
  markers: Marker[] | null
}>

/** Keeps the pictures of a film when its reading has succeeded. */
export type PictureStore = FrameConsumer & {
  /** Makes the pictures visible. */
  commit(): Promise<FeatureOutcome>
  /** Removes what was written but not made visible. */
  discard(): Promise<void>
}

const DONE: FeatureOutcome = { outcome: 'done', reason: null }

/**
 * Finds out what is missing of a film, reading it once.
 * @param input.language of the sound that most episodes of the season share; null for the default track
 * @param input.pictures receives the pictures of the time line, if they are missing
 * @throws AppError `media_item_not_found`, `tool_missing`, `tool_failed`; the signal's reason when aborted
 */
export async function analyseFilm(
  services: AnalysisServices,
  input: { film: Film; root: string; language: string | null; pictures: PictureStore | null },
  signal: AbortSignal,
): Promise<FilmAnalysis> {
  const { film, root, language, pictures } = input
  const { itemId, path, sizeBytes, modifiedAtNanoseconds, durationSeconds } = film
  const file = { itemId, root, path, sizeBytes, modifiedAtNanoseconds, durationSeconds }
  const isWanted = (feature: AnalysisFeature): boolean => film.missing.includes(feature)
  const wants = {
    pictures: isWanted('trickplay') && pictures !== null ? [pictures] : [],
    sound: isWanted('fingerprint') ? { language } : null,
  }
  try {
    const reading = await readFilm(services, { file, wants, niceness: BACKGROUND_NICENESS }, signal)
    const results: FilmAnalysis['results'][number][] = []
    if (reading.sound !== null) {
      const { result, fingerprint, language: read } = reading.sound
      results.push({ feature: 'fingerprint', result, fingerprint, language: read })
    }
    if (reading.pictures !== null && pictures !== null) {
      const result = reading.pictures.outcome === 'done' ? await pictures.commit() : reading.pictures
      results.push({ feature: 'trickplay', result, fingerprint: null, language: null })
    }
    if (!isWanted('credits')) return { file, results, markers: null }
    const { markers, result } = await markersOfFilm(services, file, signal)
    results.push({ feature: 'credits', result, fingerprint: null, language: null })
    return { file, results, markers }
  } finally {
    await pictures?.discard()
  }
}

/** The markers of a film that is not compared with others: the markers that its chapters name, and the credits that its pictures show. */
async function markersOfFilm(
  services: AnalysisServices,
  file: AnalysedFile,
  signal: AbortSignal,
): Promise<{ markers: Marker[]; result: FeatureOutcome }> {
  const item = await getItem(services, file.itemId)
  const ofChapters = markersFromChapters(item.chapters)
  if (ofChapters.some(({ type }) => type === 'outro')) {
    return { markers: chooseMarkers({ ofChapters, ofSound: [] }), result: DONE }
  }
  const { markers: ofPicture, result } = await creditsMarkers(services, file, signal)
  return { markers: chooseMarkers({ ofChapters, ofSound: [], ofPicture }), result }
}

/** Pictures show credits, but less exactly than sound, and a dark scene with text may look the same. */
const PICTURE_CONFIDENCE = 0.6

/** The credits that the pictures of a film show: none or one marker. */
export async function creditsMarkers(
  services: AnalysisServices,
  file: Pick<AnalysedFile, 'itemId' | 'path' | 'durationSeconds'>,
  signal: AbortSignal,
): Promise<{ markers: Marker[]; result: FeatureOutcome }> {
  const video = chooseVideoStream(await getItem(services, file.itemId))
  if (video.stream === null) return { markers: [], result: video.result }
  if (file.durationSeconds === null) {
    return { markers: [], result: { outcome: 'failed', reason: 'the duration of the film is unknown' } }
  }
  const { path: input, durationSeconds } = file
  const { streamIndex } = video.stream
  const credits = await readCredits(services, { input, streamIndex, durationSeconds }, signal)
  if (credits === 'failed')
    return { markers: [], result: { outcome: 'failed', reason: 'ffmpeg cannot read the end of the film' } }
  if (credits === 'none') return { markers: [], result: { outcome: 'none', reason: 'no credits were recognised' } }
  const startMilliseconds = Math.round(credits.startSeconds * 1000)
  const endMilliseconds = Math.round(credits.endSeconds * 1000)
  const marker: Marker = {
    type: 'outro',
    startMilliseconds,
    endMilliseconds,
    source: 'picture',
    confidence: PICTURE_CONFIDENCE,
  }
  return { markers: [marker], result: DONE }
}

/** Stores an analysis of a film, in the transaction of the job's progress. */
export async function writeFilmAnalysis(connection: Connection, { file, results, markers }: FilmAnalysis, now: Date) {
  for (const result of results) await writeAnalysis(connection, { file, ...result, now })
  // After a failure the known markers stay: it does not show that they are wrong.
  const isFailed = results.some(({ feature, result }) => feature === 'credits' && result.outcome === 'failed')
  if (markers !== null && !isFailed) await replaceDetectedMarkers(connection, { file, markers, now })
}
