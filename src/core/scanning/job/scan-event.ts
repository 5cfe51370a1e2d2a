import type { FileFacts, LocalMetadata } from '../../probing/index.ts'
import type { PlannedFile, PlannedFolder } from '../media-kinds/media-kind.ts'

/** A new or changed file, with the plan from its name. */
export type DiscoveredFile = {
  kind: 'file'
  /** The library folder that contains it. */
  root: string
  path: string
  name: string
  sizeBytes: number
  modifiedAtNanoseconds: bigint
  canonicalKey: string
  planned: PlannedFile
  /** Hash over its metadata sidecars; null if there are none. */
  sidecarHash: Buffer | null
}

/** A picture or subtitle file of a folder. */
export type ListedSidecar = { name: string; path: string; sizeBytes: number; modifiedAtNanoseconds: bigint }

/** A folder after its files, with everything that a complete listing shows. */
export type CompletedFolder = {
  kind: 'folder'
  root: string
  path: string
  /** All zero if the listing is unreliable and must be read again by the next scan. */
  listingHash: Buffer
  /** Number of media files. */
  fileCount: number
  unchangedCount: number
  /** Rows whose file was not listed. */
  absentIds: string[]
  /** Rows that were marked missing and whose file is there again. */
  returnedIds: string[]
  /** Unlisted rows that represented versions, with the path of the version that represents them now. */
  successors: { fromId: string; path: string }[]
  problems: { path: string; code: string; reason: string }[]
  plan: PlannedFolder
  /** The files of `plan.companions`, by name. */
  companions: ReadonlyMap<string, ListedSidecar>
  /** Facts about the folder's group; empty until the sidecars have been read. */
  local: readonly LocalMetadata[]
}

/** Folders with an unchanged listing; nothing is written for them. */
export type UnchangedFolders = { kind: 'unchanged'; lastPath: string; fileCount: number }

/** Events about folders, between those about files. */
export type FolderEvent = CompletedFolder | UnchangedFolders

/** A file after reading. */
export type FileReadEvent = DiscoveredFile & { outcome: FileReadOutcome }

/** `gone`: removed since it was listed. `hasChanged`: being written, so the next scan must read it again. */
export type FileReadOutcome =
  | { kind: 'read'; facts: FileFacts; local: readonly LocalMetadata[]; contentHash: Buffer; hasChanged: boolean }
  | { kind: 'unreadable'; code: string; reason: string; local: readonly LocalMetadata[] }
  | { kind: 'gone' }
