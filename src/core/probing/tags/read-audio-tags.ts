import { parseFromTokenizer, type IAudioMetadata, type ICommonTagsResult, type IMetadataEvent } from 'music-metadata'
import type { ByteSource } from '../../platform/files/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import { readAudioChapters } from './audio-chapters.ts'
import type { AudioTags, AudioTagsOutcome, UnreadableCode } from './audio-tags.ts'
import { readAudiobookTags } from './audiobook-tags.ts'
import { readAudioNames, readAudioNumbers, readMusicBrainzIds, readReplayGain, readSoundFormat } from './audio-facts.ts'
import { readEmbeddedPictures } from './embedded-pictures.ts'
import { collectNativeTags } from './native-tags.ts'
import { readOggDuration } from './ogg-duration.ts'
import { detectAudioFormat } from './sniff-audio.ts'
import { ReadBudgetError, WindowedTokenizer } from './windowed-tokenizer.ts'

/** Longer durations indicate a damaged header. */
const MAX_DURATION_SECONDS = 366 * 24 * 3600

/** Real files have dozens of tags. For some lists the parser needs quadratic time. */
const MAX_TAG_EVENTS = 5_000

export type AudioTagsInput = {
  source: ByteSource
  /** The file's name; its extension is used only if the content is ambiguous. */
  name: string
  /** Whether to return the bytes of the pictures. */
  withPictures?: boolean
}

/**
 * Reads tags, sound format, chapters and pictures of one audio file: mp3, flac, m4a/m4b, ogg/opus, wav, aiff, ape, wv, mpc, dsf, wma,
 * mka. The source stays open. Never throws because of the content: a file without duration or audio is `unreadable`, even if the parser
 * accepted it.
 * @throws AppError `file_unreadable` if the device reports an error
 */
export async function readAudioTags(input: AudioTagsInput): Promise<AudioTagsOutcome> {
  const { source, name } = input
  if (source.sizeBytes === 0) return unreadable('empty', 'the file is empty')
  const mimeType = detectAudioFormat(source.read(0, 16), extensionOf(name))
  if (mimeType === undefined) return unreadable('unknown_format', 'the file is not audio in a supported format')
  let metadata: IAudioMetadata
  try {
    metadata = await parse(source, mimeType)
  } catch (error) {
    return unreadableResult(error)
  }
  return outcomeOf(metadata, input)
}

async function parse(source: ByteSource, mimeType: string): Promise<IAudioMetadata> {
  let events = 0
  const observer = ({ metadata, tag }: IMetadataEvent): void => {
    events += 1
    if (events <= MAX_TAG_EVENTS) return
    // The parser ignores exceptions here and compares every new value with the existing ones of its tag; emptying the list keeps that
    // fast.
    const values: unknown = tag.type === 'common' ? metadata.common[tag.id as keyof ICommonTagsResult] : undefined
    if (Array.isArray(values)) values.length = 0
  }
  const options = { includeChapters: true, mkvUseIndex: true, observer }
  const metadata = await parseFromTokenizer(new WindowedTokenizer(source, mimeType), options)
  if (events > MAX_TAG_EVENTS) throw new ReadBudgetError('the file has too many tags')
  return metadata
}

function outcomeOf(metadata: IAudioMetadata, { source, withPictures = false }: AudioTagsInput): AudioTagsOutcome {
  const { format, common } = metadata
  if (format.hasAudio !== true) return unreadable('no_sound', 'the file holds no sound')
  const durationSeconds = durationOf(metadata, source)
  if (!(durationSeconds > 0 && durationSeconds <= MAX_DURATION_SECONDS)) {
    return unreadable('no_duration', 'the file does not state its duration')
  }
  const native = collectNativeTags(metadata)
  const tags: AudioTags = {
    ...readAudioNames(common),
    ...readAudioNumbers(common, native),
    musicBrainz: readMusicBrainzIds(common),
    replayGain: readReplayGain(common, native),
    sound: readSoundFormat(metadata, durationSeconds, source.sizeBytes),
    chapters: readAudioChapters(format, native, durationSeconds),
    audiobook: readAudiobookTags(common, native),
    pictures: readEmbeddedPictures(common.picture, withPictures),
  }
  return { kind: 'read', tags }
}

function durationOf({ format }: IAudioMetadata, source: ByteSource): number {
  if (format.container === 'Ogg') {
    return readOggDuration(source, format.sampleRate ?? 0) ?? format.duration ?? 0
  }
  return format.duration ?? 0
}

/** Errors of the parser concern the content, except the device's own errors, which have an error code. */
function unreadableResult(error: unknown): AudioTagsOutcome {
  if (error instanceof AppError) throw error
  const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
  return unreadable(error instanceof ReadBudgetError ? 'too_large' : 'damaged', reason)
}

function unreadable(code: UnreadableCode, reason: string): AudioTagsOutcome {
  return { kind: 'unreadable', code, reason }
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}
