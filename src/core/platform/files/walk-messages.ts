import { join } from 'node:path'
import type { MediaFileKind } from './content-types.ts'
import type { WalkProblem } from './follow-link.ts'
import type { InnerFolders, WalkedFile } from './walk-tree.ts'

/** The request to a disk thread to walk. */
export type WalkRequest = {
  kind: 'walk'
  root: string
  kinds: readonly MediaFileKind[]
  inner: InnerFolders | undefined
  /** A single Int32, which is incremented by the main thread with every answer, so that the worker can sleep until then. */
  answers: SharedArrayBuffer
}

/** A listed folder, without its files. */
export type FolderListing = {
  path: string
  /** SHA-256 over names, sizes and times of the files; all zero when the listing is incomplete. */
  listingHash: Buffer
  fileCount: number
  isComplete: boolean
  isIgnored: boolean
  problems: WalkProblem[]
}

/** A batch of folders in columns: one message for hundreds of folders. */
export type PackedFolders = {
  kind: 'folders'
  batch: number
  paths: string[]
  /** 32 bytes per folder. */
  hashes: Uint8Array
  fileCounts: Int32Array
  /** Bit 0: complete; bit 1: ignored. */
  flags: Uint8Array
  problems: Map<number, WalkProblem[]>
}

/** The files of the requested folders, in the order of the request. */
export type PackedFiles = {
  kind: 'files'
  batch: number
  counts: Int32Array
  names: string[]
  sizesBytes: Float64Array
  modifiedAtNanoseconds: BigInt64Array
}

export type WalkReport =
  | PackedFolders
  | PackedFiles
  | { kind: 'end' }
  | { kind: 'failure'; code: string; message: string }

/** The main thread's answer to a batch: the indexes of the folders whose files it needs. */
export type WalkReply = { batch: number; wanted: number[] }

const HASH_BYTES = 32

export function packFolders(batch: number, folders: readonly FolderListing[]): PackedFolders {
  const hashes = new Uint8Array(folders.length * HASH_BYTES)
  const problems = new Map<number, WalkProblem[]>()
  for (const [index, folder] of folders.entries()) {
    hashes.set(folder.listingHash, index * HASH_BYTES)
    if (folder.problems.length > 0) problems.set(index, folder.problems)
  }
  return {
    kind: 'folders',
    batch,
    paths: folders.map(({ path }) => path),
    hashes,
    fileCounts: Int32Array.from(folders, ({ fileCount }) => fileCount),
    flags: Uint8Array.from(folders, ({ isComplete, isIgnored }) => (isComplete ? 1 : 0) | (isIgnored ? 2 : 0)),
    problems,
  }
}

export function unpackFolders({ paths, hashes, fileCounts, flags, problems }: PackedFolders): FolderListing[] {
  return paths.map((path, index) => ({
    path,
    listingHash: Buffer.from(hashes.buffer, hashes.byteOffset + index * HASH_BYTES, HASH_BYTES),
    fileCount: fileCounts[index] ?? 0,
    isComplete: ((flags[index] ?? 0) & 1) !== 0,
    isIgnored: ((flags[index] ?? 0) & 2) !== 0,
    problems: problems.get(index) ?? [],
  }))
}

export function packFiles(batch: number, folders: readonly (readonly WalkedFile[])[]): PackedFiles {
  const files = folders.flat()
  return {
    kind: 'files',
    batch,
    counts: Int32Array.from(folders, ({ length }) => length),
    names: files.map(({ name }) => name),
    sizesBytes: Float64Array.from(files, ({ sizeBytes }) => sizeBytes),
    modifiedAtNanoseconds: BigInt64Array.from(files, (file) => file.modifiedAtNanoseconds),
  }
}

/** @param paths of the folders of these files, in the same order */
export function unpackFiles(packed: PackedFiles, paths: readonly string[]): WalkedFile[][] {
  let next = 0
  return paths.map((path, folder) => {
    const files: WalkedFile[] = []
    for (const end = next + (packed.counts[folder] ?? 0); next < end; next += 1) {
      const name = packed.names[next] ?? ''
      const [sizeBytes, modifiedAtNanoseconds] = [
        packed.sizesBytes[next] ?? 0,
        packed.modifiedAtNanoseconds[next] ?? 0n,
      ]
      files.push({
        path: name.startsWith('../') ? join(path, name) : `${path}/${name}`,
        name,
        sizeBytes,
        modifiedAtNanoseconds,
      })
    }
    return files
  })
}
