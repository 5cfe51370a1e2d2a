import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { parsePhotoDate } from '../../naming/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { fileErrors, openByteSource, type BufferPool, type ByteSource } from '../../platform/files/index.ts'
import type { LocalMetadata } from '../sidecars/local-metadata.ts'
import type { UnreadableCode } from '../tags/audio-tags.ts'
import { probedFileFromTags } from './probed-file-from-tags.ts'
import type { ReaderState } from './reader-state.ts'
import type { FileReadResult, ReadRequest } from './read-request.ts'

const NO_LOCAL_FACTS = { local: [], contentHash: new Uint8Array() }

const END_BYTES = 65_536

/**
 * Reads one file by its headers, and its sidecars. Reading blocks the thread, so it runs only in worker threads. Never throws because of
 * contents or disk errors; they are part of the result.
 */
export async function readMediaFile(state: ReaderState, request: ReadRequest): Promise<FileReadResult> {
  const local = await readAllLocal(state, request)
  if (request.as === 'sidecars') {
    return { kind: 'read', facts: NO_MEDIA, local, contentHash: new Uint8Array(), hasChanged: false }
  }
  let source: ByteSource
  try {
    source = openByteSource(state.blocks, request.root, request.path)
  } catch (error) {
    return unreadableResult(error, local)
  }
  try {
    if (source.sizeBytes === 0) return { kind: 'unreadable', code: 'empty_file', reason: 'the file is empty', local }
    if (request.as === 'cover') return await (await state.load.covers()).readCover({ ...state, source }, request.path)
    if (request.as === 'index') return await readIndexOf({ ...state, source }, request)
    // The hash comes first, because its first window contains the headers of most files.
    const seen = { local, contentHash: hashEnds(source), hasChanged: source.sizeBytes !== request.sizeBytes }
    return await readByKind({ ...state, source }, request, seen)
  } catch (error) {
    return unreadableResult(error, local)
  } finally {
    source.close()
  }
}

type ReadSidecar = Awaited<ReturnType<ReaderState['load']['sidecars']>>['readSidecar']

/** The open file, with the state of the thread. */
type OpenFile = ReaderState & { source: ByteSource }

type FileRequest = Exclude<ReadRequest, { as: 'sidecars' | 'cover' | 'index' }>

type Seen = { local: LocalMetadata[]; contentHash: Uint8Array; hasChanged: boolean }

async function readByKind(file: OpenFile, request: FileRequest, seen: Seen): Promise<FileReadResult> {
  switch (request.as) {
    case 'video':
      return readVideo(file, request, seen)
    case 'audio':
      return readAudio(file, request, seen)
    case 'audiobook':
      return withHeaders(await readAudio(file, request, seen), file, request)
    case 'photo':
      return readPicture(file, request, seen)
    case 'book':
      return readBookFile(file, request, seen)
  }
}

async function readIndexOf(
  { load, source }: OpenFile,
  { streamIndex, sizeBytes }: Extract<ReadRequest, { as: 'index' }>,
): Promise<FileReadResult> {
  const { index, unsupportedReason } = (await load.indexes()).readStreamIndex(source, streamIndex)
  const seen = { ...NO_LOCAL_FACTS, hasChanged: source.sizeBytes !== sizeBytes }
  if (index === undefined) return { kind: 'needs-ffprobe', reason: unsupportedReason, tags: null, ...seen }
  return { kind: 'read', facts: { ...NO_MEDIA, index }, ...seen }
}

async function readVideo({ load, source }: OpenFile, { path }: ReadRequest, seen: Seen): Promise<FileReadResult> {
  const headers = (await load.headersOfVideos()).readContainerHeaders(source, path)
  if (headers.file === undefined)
    return { kind: 'needs-ffprobe', reason: headers.unsupportedReason, tags: null, ...seen }
  const { file: media, tags: containerTags, index } = headers
  return { kind: 'read', facts: { media, containerTags, tags: null, ...(index && { index }) }, ...seen }
}

async function readAudio({ load, source }: OpenFile, { path }: ReadRequest, seen: Seen): Promise<FileReadResult> {
  const outcome = await (await load.tags()).readAudioTags({ source, name: basename(path) })
  if (outcome.kind === 'read') {
    const { tags: read } = outcome
    return { kind: 'read', facts: { media: probedFileFromTags(read, path), containerTags: {}, tags: read }, ...seen }
  }
  if (FFPROBE_MAY_READ.has(outcome.code)) return { kind: 'needs-ffprobe', reason: outcome.reason, tags: null, ...seen }
  return { kind: 'unreadable', code: outcome.code, reason: outcome.reason, local: seen.local }
}

/**
 * ffmpeg may play formats that the tag reader does not know. The duration of raw AAC is known only after counting its frames, and a long
 * file exceeds the limit of the tag reader.
 */
const FFPROBE_MAY_READ = new Set<UnreadableCode>(['unknown_format', 'no_duration', 'too_large'])

/**
 * Adds chapters and streams from the container headers of audiobooks in MP4 or Matroska, because the tag reader does not see chapters
 * after the media data. If the headers are rejected, the tags alone are used.
 */
async function withHeaders(
  reading: FileReadResult,
  { load, source }: OpenFile,
  { path }: ReadRequest,
): Promise<FileReadResult> {
  if (reading.kind !== 'read') return reading
  const { detectAudioFormat } = await load.sniffing()
  if (!CONTAINERS_WITH_HEADERS.has(detectAudioFormat(source.read(0, 16), ''))) return reading
  const { file } = (await load.headersOfVideos()).readContainerHeaders(source, path)
  if (file === undefined) return reading
  const chapters = file.chapters.length > 0 ? file.chapters : (reading.facts.media?.chapters ?? [])
  return { ...reading, facts: { ...reading.facts, media: { ...file, chapters } } }
}

const CONTAINERS_WITH_HEADERS = new Set<string | undefined>(['audio/mp4', 'audio/matroska'])

type PhotoRequest = Extract<ReadRequest, { as: 'photo' }>

async function readPicture(
  { load, offsets, source }: OpenFile,
  { path, time }: PhotoRequest,
  seen: Seen,
): Promise<FileReadResult> {
  const { readPhoto } = await load.photos()
  const outcome = await readPhoto(offsets, { source, ...time, nameDate: parsePhotoDate(basename(path)) ?? null })
  if (outcome.kind === 'unreadable') return { ...outcome, local: seen.local }
  return { kind: 'read', facts: { ...NO_MEDIA, photo: outcome.photo }, ...seen }
}

async function readBookFile({ load, source }: OpenFile, { path }: ReadRequest, seen: Seen): Promise<FileReadResult> {
  const outcome = await (await load.books()).readBook(source, basename(path))
  if (outcome.kind === 'unreadable') return { ...outcome, local: seen.local }
  return { kind: 'read', facts: { ...NO_MEDIA, book: outcome.book }, ...seen }
}

const NO_MEDIA = { media: null, containerTags: {}, tags: null }

/**
 * Returns 8 bytes: the CRC-32 of the first and of the last 64 KiB. It distinguishes files of the same name and size without reading
 * gigabytes. Collisions can be constructed, but only among the files of their author.
 */
function hashEnds(source: ByteSource): Uint8Array {
  const { sizeBytes } = source
  const hash = Buffer.alloc(8)
  hash.writeUInt32BE(crc32(source.read(0, END_BYTES)))
  if (sizeBytes > END_BYTES) {
    hash.writeUInt32BE(crc32(source.read(Math.max(sizeBytes - END_BYTES, END_BYTES), END_BYTES)), 4)
  }
  return hash
}

async function readAllLocal(
  { load, blocks }: ReaderState,
  { root, sidecars: paths }: ReadRequest,
): Promise<LocalMetadata[]> {
  if (paths.length === 0) return []
  const { readSidecar } = await load.sidecars()
  return paths.flatMap((path) => readLocal({ blocks, root, path }, readSidecar))
}

type Sidecar = { blocks: BufferPool; root: string; path: string }

/** Returns the records of a sidecar; empty if it is unreadable or not understood. */
function readLocal({ blocks, root, path }: Sidecar, readSidecar: ReadSidecar): LocalMetadata[] {
  let source: ByteSource | undefined
  try {
    source = openByteSource(blocks, root, path)
    const outcome = readSidecar(source, basename(path))
    return outcome.kind === 'read' ? outcome.several : []
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  } finally {
    source?.close()
  }
}

function unreadableResult(error: unknown, local: LocalMetadata[]): FileReadResult {
  if (!(error instanceof AppError)) throw error
  if (error.code === fileErrors.file_not_found.definition.code) return { kind: 'gone' }
  return { kind: 'unreadable', code: error.code, reason: describeError(error), local }
}
