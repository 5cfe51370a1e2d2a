import { getItem } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import { openInsideRoot } from '../../platform/files/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { AnalysedFile, FeatureOutcome } from '../film/analysed-file.ts'
import { FrameDistributor, type FrameConsumer } from './frame-consumer.ts'
import {
  chooseAudioStream,
  chooseVideoStream,
  type FilmSound,
  type FilmVideo,
  type StreamChoice,
} from './film-streams.ts'
import { readStreams, type StreamResults } from './read-streams.ts'

/** The requested results of a film; the file is read once for all of them. */
export type FilmReadRequest = Readonly<{
  /** Empty when no pictures are wanted. */
  pictures: readonly FrameConsumer[]
  /** The preferred language of the fingerprinted sound; without it the default track is read. Null when none is wanted. */
  sound: { language: string | null } | null
}>

export type SoundReading = Readonly<{
  result: FeatureOutcome
  /** Chromaprint's raw hashes, 4 bytes each, little-endian; null unless the result is `done`. */
  fingerprint: Buffer | null
  /** Language of the sound that was read, BCP 47; null if unknown. */
  language: string | null
}>

/** Null for what was not wanted. */
export type FilmReading = Readonly<{ sound: SoundReading | null; pictures: FeatureOutcome | null }>

type Services = { db: Connection; mediaTools: Pick<MediaTools, 'readPicturesAndFingerprint' | 'componentsOf'> }

/**
 * Reads a film once, for the pictures of its time line, the fingerprint of its sound, or both. Files without video or sound, damaged files
 * and changed files each have a result of their own. Consumers must not use the pictures unless the result is `done`: the file may have
 * changed.
 * @param input.niceness of ffmpeg, 0 to 19
 * @throws AppError `media_item_not_found`, `tool_missing`, `tool_failed`; the error of a consumer; the signal's reason when aborted
 */
export async function readFilm(
  { db, mediaTools }: Services,
  { file, wants, niceness }: { file: AnalysedFile; wants: FilmReadRequest; niceness: number },
  signal: AbortSignal,
): Promise<FilmReading> {
  signal.throwIfAborted()
  const item = await getItem({ db }, file.itemId)
  const video = wants.pictures.length === 0 ? null : chooseVideoStream(item)
  const sound = wants.sound === null ? null : chooseAudioStream(item, wants.sound.language)
  if (!isReadable(video) && !isReadable(sound)) return readingOf({ video, sound }, UNREAD)
  const distributor = new FrameDistributor(wants.pictures)
  const { path: input, durationSeconds } = file
  const streams = {
    input,
    durationSeconds,
    video: video?.stream ?? null,
    sound: sound?.stream ?? null,
    distributor,
    niceness,
  }
  const results = (await changeOf(file)) ?? (await readStreams(mediaTools, streams, signal))
  return readingOf({ video, sound }, (await changeOf(file)) ?? results)
}

type Choices = { video: StreamChoice<FilmVideo> | null; sound: StreamChoice<FilmSound> | null }

const UNREAD: StreamResults = { pictures: null, sound: null, fingerprint: null }

function isReadable(choice: Choices['video'] | Choices['sound']): boolean {
  return choice !== null && choice.stream !== null
}

/** The results of the streams that were read, and the reasons of those that were not. */
function readingOf({ video, sound }: Choices, results: StreamResults): FilmReading {
  const pictures = video === null ? null : (video.result ?? results.pictures)
  const result = sound === null ? null : (sound.result ?? results.sound)
  if (result === null) return { pictures, sound: null }
  return { pictures, sound: { result, fingerprint: results.fingerprint, language: sound?.stream?.language ?? null } }
}

/** Why the file cannot be read, or why it is not the file that the catalogue describes; undefined if it can be analysed. */
async function changeOf({
  root,
  path,
  sizeBytes,
  modifiedAtNanoseconds,
}: AnalysedFile): Promise<StreamResults | undefined> {
  try {
    await using handle = await openInsideRoot(root, path)
    const { size, mtimeNs } = await handle.stat({ bigint: true })
    const isSame = Number(size) === sizeBytes && mtimeNs.toString() === modifiedAtNanoseconds
    return isSame ? undefined : failedBoth('the file was changed after its scan')
  } catch (error) {
    if (error instanceof AppError) return failedBoth(error.message)
    throw error
  }
}

function failedBoth(reason: string): StreamResults {
  const failed: FeatureOutcome = { outcome: 'failed', reason }
  return { pictures: failed, sound: failed, fingerprint: null }
}
