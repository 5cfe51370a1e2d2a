import type { ArtworkAddresses } from '../../../core/artwork/index.ts'
import {
  nameChapters,
  type Audiobook,
  type BookFile,
  type BookWaveform,
  type ListedAudiobook,
  type OpenedAudiobook,
} from '../../../core/audiobooks/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import { openedProgressView } from './audiobook-progress.view.ts'

/** The signed resource of the audio of a book; it covers all its files. */
export function audiobookStreamResource(id: string): string {
  return `/api/v1/audiobooks/${id}/stream`
}

/** The signed resource of the player page of a book. The page contains no book data; it requests them with a token. */
export function audiobookReadResource(id: string): string {
  return `/api/v1/audiobooks/${id}/read`
}

type Extras = { picture: ArtworkAddresses | undefined; signer: UrlSigner }

/** A row of the list. */
export function audiobookRowView(book: ListedAudiobook, extras: Extras) {
  return { ...bookKeys(book, extras), chapter_count: book.chapterCount, progress_percent: book.percentComplete }
}

/** The detail, with chapters and files. */
export function audiobookView({ book, files }: Omit<OpenedAudiobook, 'progress'>, extras: Extras) {
  return {
    ...bookKeys(book, extras),
    chapters: chaptersView(book),
    parts: files.map((file, index) => partView(book.id, { ...file, index }, extras.signer)),
  }
}

/** The chapters. One client reads `duration_ms`. */
export function chaptersView(book: Audiobook) {
  return nameChapters(book).map(({ title, startSeconds, endSeconds }, index) => {
    const [start, end] = [toMilliseconds(startSeconds), toMilliseconds(endSeconds)]
    return { index, title, start_ms: start, end_ms: end, duration_ms: end - start }
  })
}

/** Reply of `/read` to API clients. */
export function readAudiobookView(opened: OpenedAudiobook, extras: Extras) {
  const audiobook = audiobookView(opened, extras)
  const progress = opened.progress === null ? null : openedProgressView(opened.progress)
  return { audiobook, metadata: audiobook.metadata, progress, message: 'Audiobook ready' }
}

export function waveformView(id: string, { durationSeconds, points }: BookWaveform) {
  const status = points === null ? ('making' as const) : ('ready' as const)
  return { audiobook_id: id, status, duration_ms: toMilliseconds(durationSeconds), points }
}

function bookKeys(book: Omit<Audiobook, 'chapters'>, { picture, signer }: Extras) {
  const { id, name, metadata } = book
  const [author, narrator] = [textOf(metadata, 'author') ?? '', textOf(metadata, 'narrator') ?? '']
  const durationMs = toMilliseconds(book.durationSeconds ?? 0)
  return {
    id,
    library_id: book.libraryId,
    name,
    title: name,
    author,
    narrator,
    series: textOf(metadata, 'series'),
    year: book.year,
    duration_secs: Math.round(durationMs / 1000),
    duration_ms: durationMs,
    // A picture file beside the book has precedence over the embedded picture.
    cover_url: picture?.poster?.url ?? null,
    stream_url: signer.signUrl(audiobookStreamResource(id)),
    read_url: signer.signUrl(audiobookReadResource(id)),
    metadata: { ...metadata, title: name, author, narrator, duration_ms: durationMs },
  }
}

type Part = BookFile & { index: number }

function partView(id: string, { index, startSeconds, endSeconds }: Part, signer: UrlSigner) {
  const address = signer.signUrl(audiobookStreamResource(id))
  return {
    index,
    start_ms: toMilliseconds(startSeconds),
    end_ms: toMilliseconds(endSeconds),
    stream_url: index === 0 ? address : `${address}&part=${index}`,
  }
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000)
}

function textOf(metadata: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : null
  return typeof value === 'string' && value !== '' ? value : null
}
