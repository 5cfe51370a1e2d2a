import type { ByteSource } from '../../platform/files/index.ts'
import { cleanLines, cleanParagraphs } from '../untrusted-values.ts'
import { decodeSidecarText } from './decode-sidecar-text.ts'
import { emptyMetadata, type SidecarOutcome } from './local-metadata.ts'
import { readAudiobookJson } from './read-audiobook-json.ts'
import { readComicInfo } from './read-comic-info.ts'
import { readCue } from './read-cue.ts'
import { readNfo } from './read-nfo.ts'
import { readOpf } from './read-opf.ts'

/** Size limit; enough for an NFO of a long series, or a metadata.json with a thousand chapters. */
const MAX_BYTES = 2 * 1024 * 1024

type Reader = (text: string) => SidecarOutcome

const BY_NAME: Readonly<Record<string, Reader>> = {
  'comicinfo.xml': readComic,
  'metadata.json': readAudiobookJson,
  'desc.txt': readDescription,
  'reader.txt': readNarrators,
}

const BY_EXTENSION: Readonly<Record<string, Reader>> = { nfo: readNfo, opf: readPackage, cue: readCue }

/** Returns whether `readSidecar` supports a file of this name. */
export function isSidecarName(name: string): boolean {
  return readerOf(name) !== undefined
}

/**
 * Reads a metadata sidecar: `*.nfo`, `*.opf`, `ComicInfo.xml`, `metadata.json`, `desc.txt`, `reader.txt` or `*.cue`, selected by `name`
 * (a base name). At most 2 MiB; the source stays open. Broken, hostile and unknown files are `broken` with a reason for people. Never
 * throws because of the content.
 * @throws AppError `file_unreadable` if the device reports an error
 */
export function readSidecar(source: ByteSource, name: string): SidecarOutcome {
  const reader = readerOf(name)
  if (reader === undefined) return { kind: 'broken', reason: 'no reader for this name' }
  if (source.sizeBytes === 0) return { kind: 'broken', reason: 'the file is empty' }
  if (source.sizeBytes > MAX_BYTES) return { kind: 'broken', reason: 'the file is too large' }
  return reader(decodeSidecarText(source.read(0, source.sizeBytes)))
}

function readerOf(name: string): Reader | undefined {
  const lower = name.toLowerCase()
  const extension = lower.slice(lower.lastIndexOf('.') + 1)
  if (Object.hasOwn(BY_NAME, lower)) return BY_NAME[lower]
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined
}

function readComic(text: string): SidecarOutcome {
  const outcome = readComicInfo(text)
  return outcome.kind === 'read' ? { kind: 'read', several: [outcome.metadata] } : outcome
}

function readPackage(text: string): SidecarOutcome {
  const outcome = readOpf(text)
  return outcome.kind === 'read' ? { kind: 'read', several: [outcome.metadata] } : outcome
}

/** Audiobookshelf: the whole file is the description. */
function readDescription(text: string): SidecarOutcome {
  const overview = cleanParagraphs(text)
  if (overview === null) return { kind: 'broken', reason: 'no text' }
  return { kind: 'read', several: [{ ...emptyMetadata('audiobook'), overview }] }
}

/** Audiobookshelf: the first line contains the narrators. */
function readNarrators(text: string): SidecarOutcome {
  const narrators = cleanLines((text.trim().split('\n', 1)[0] ?? '').slice(0, 4000).split(/[,;&]/))
  if (narrators.length === 0) return { kind: 'broken', reason: 'no text' }
  return { kind: 'read', several: [{ ...emptyMetadata('audiobook'), narrators }] }
}
