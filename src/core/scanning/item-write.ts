import type { ItemWrite, StreamWrite } from '../catalogue/index.ts'
import type { ProbedStream } from '../probing/index.ts'
import type { ReadFile } from './scan-event.ts'
import type { Scan } from './scan.ts'

/** A file as the catalogue takes it: what its name, its headers and tags, and the files beside it say. */
export function toItemWrite({ job, kind }: Pick<Scan, 'job' | 'kind'>, file: ReadFile): ItemWrite {
  const { path, sizeBytes, modifiedAtNanoseconds, canonicalKey, planned, sidecarHash, outcome } = file
  const facts = outcome.kind === 'read' ? outcome.facts : null
  const local = outcome.kind === 'gone' ? [] : outcome.local
  const { identification, groups, nameSource, localMetadata } = kind.describe(planned, facts, local)
  const media = facts?.media ?? null
  const source = media?.source ?? null
  return {
    ...identification,
    libraryId: job.libraryId,
    path,
    sizeBytes,
    modifiedAtNanoseconds,
    canonicalKey,
    sidecarHash,
    groups,
    nameSource,
    localMetadata,
    role: planned.role?.kind ?? null,
    metadata: source === null ? identification.metadata : { ...identification.metadata, source },
    durationSeconds: media?.durationSeconds ?? null,
    container: media?.container ?? null,
    bitrate: media?.bitrate ?? null,
    chapters: media?.chapters ?? [],
    streams: media?.streams.map(toStream) ?? [],
    contentHash: outcome.kind === 'read' ? outcome.contentHash : null,
    probeError: outcome.kind === 'unreadable' ? outcome.reason : null,
  }
}

/** What has no column of its own is kept under `details`. */
function toStream(stream: ProbedStream): StreamWrite {
  const { index, type, codec, language, title, bitrate, width, height, channels, isDefault, ...details } = stream
  return { index, type, codec, language, title, bitrate, width, height, channels, isDefault, details }
}
