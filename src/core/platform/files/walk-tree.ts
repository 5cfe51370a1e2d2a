import { lstatSync, realpathSync, type BigIntStats, type Dirent } from 'node:fs'
import { basename } from 'node:path'
import { describeError, systemErrorCode } from '../errors/index.ts'
import { mediaFileKind, type MediaFileKind } from './content-types.ts'
import { fileErrors } from './errors.ts'
import { isNotFoundError } from './file-error.ts'
import { followLink, type FolderNode, type WalkProblem } from './follow-link.ts'
import { isIgnoredName } from './ignored-names.ts'
import { readIgnoreRules } from './read-ignore-rules.ts'
import { IGNORE_EVERYTHING_RULES } from './ignore-rules.ts'
import { listFolder } from './list-folder.ts'

export type WalkedFile = {
  path: string
  /** Relative to the folder that lists it: `../poster.jpg` for a file of the parent folder that is listed here too (`InnerFolders`). */
  name: string
  sizeBytes: number
  modifiedAtNanoseconds: bigint
}

export type WalkedFolder = {
  path: string
  /** Sorted by name, followed by the files of the parent folder. */
  files: WalkedFile[]
  problems: WalkProblem[]
  /** When false, nothing at or below `path` may be treated as absent: a part could not be read, or is now ignored. */
  isComplete: boolean
  /** An empty `.ignore` or `.nomedia` excludes this folder and everything below it from the library. */
  isIgnored: boolean
}

/**
 * Folders that hold parts of the item of the parent folder: `CD1`, `VIDEO_TS`. Files of these kinds in the parent folder are listed with
 * the inner folder, so that a change of them changes its listing.
 */
export type InnerFolders = { names: RegExp; kinds: readonly MediaFileKind[] }

export type WalkOptions = {
  /** The kinds of files to list, by extension; for a link, by the extension of its target. All when absent. */
  kinds?: readonly MediaFileKind[]
  inner?: InnerFolders | undefined
}

const MAX_DEPTH = 64
/** Links between folders multiply: n folders that link to each other have n! paths through them. */
const MAX_LINKED_FOLDERS = 10_000

/**
 * Walks a tree depth first, in the order of names. Opens no file. Links are followed inside the root; pipes, sockets and devices are
 * skipped; unreadable entries are reported and the walk continues. All calls are synchronous: a mount that hangs blocks the thread, so the
 * product walks only through `startWalk`.
 * @throws AppError `folder_unavailable` when the root itself cannot be listed
 */
export function* walkTree(root: string, { kinds, inner }: WalkOptions = {}): Generator<WalkedFolder> {
  const top = rootNode(root)
  const wanted = kinds === undefined ? undefined : new Set<MediaFileKind | undefined>(kinds)
  const isWanted = (name: string): boolean => wanted === undefined || wanted.has(mediaFileKind(name))
  const walk: Walk = { rootRealPath: top.realPath, isWanted, inner, inheritedFiles: new WeakMap(), linkedFolders: 0 }
  const pending = [top]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const visit: Visit = { folder: emptyFolder(node.path), subfolders: [], hasInner: false }
    try {
      visitFolder(walk, node, visit)
    } catch (error) {
      if (node === top) throw fileErrors.folder_unavailable({ message: describeError(error), cause: error })
      if (isNotFoundError(error)) continue
      visit.folder.isComplete = false
      visit.folder.problems.push(problemOf(node.path, error))
    }
    addFilesAbove(walk, node, visit)
    yield visit.folder
    for (const below of visit.subfolders.toReversed()) pending.push(below)
  }
}

type Walk = {
  rootRealPath: string
  isWanted: (name: string) => boolean
  inner: InnerFolders | undefined
  /** The files of a folder that its inner folders list too, with their relative names there. */
  inheritedFiles: WeakMap<FolderNode, WalkedFile[]>
  linkedFolders: number
}
type Visit = { folder: WalkedFolder; subfolders: FolderNode[]; hasInner: boolean }

function rootNode(root: string): FolderNode {
  const path = root.length > 1 ? root.replace(/\/+$/, '') : root
  try {
    return { path, realPath: realpathSync.native(path), parent: undefined, depth: 0 }
  } catch (error) {
    throw fileErrors.folder_unavailable({ message: describeError(error), cause: error })
  }
}

function emptyFolder(path: string): WalkedFolder {
  return { path, files: [], problems: [], isComplete: true, isIgnored: false }
}

function visitFolder(walk: Walk, node: FolderNode, visit: Visit): void {
  const { folder } = visit
  if (node.depth > MAX_DEPTH) {
    folder.isComplete = false
    folder.problems.push({ path: node.path, code: 'too_deep', reason: `more than ${MAX_DEPTH} folders deep` })
    return
  }
  const { entries, unreadableNames } = listFolder(node.path)
  for (const name of unreadableNames) {
    folder.problems.push({ path: `${node.path}/${name}`, code: 'invalid_name', reason: 'name is not UTF-8' })
  }
  node.rules = readIgnoreRules(node.path, entries)
  if (node.rules === IGNORE_EVERYTHING_RULES) {
    folder.isIgnored = true
    folder.isComplete = false
    return
  }
  const isSampleFolder = node.parent !== undefined && basename(node.path).toLowerCase() === 'sample'
  for (const entry of entries) {
    if (isIgnoredName(entry.name, entry.isDirectory()) || isIgnoredByRules(node, entry)) continue
    if (isSampleFolder && mediaFileKind(entry.name) === 'video' && !entry.isDirectory()) continue
    addEntry(walk, node, entry, visit)
  }
}

/** Needs no disk access: the parent folder has already been listed. */
function addFilesAbove({ inner, inheritedFiles }: Walk, node: FolderNode, { folder, hasInner }: Visit): void {
  if (inner === undefined) return
  const above = node.parent === undefined ? undefined : inheritedFiles.get(node.parent)
  if (above !== undefined && !folder.isIgnored && inner.names.test(basename(node.path))) folder.files.push(...above)
  if (!hasInner) return
  const inherited = folder.files.filter(({ name }) => inner.kinds.some((kind) => kind === mediaFileKind(name)))
  inheritedFiles.set(
    node,
    inherited.map(({ path, name, sizeBytes, modifiedAtNanoseconds }) => {
      return { path, name: `../${name}`, sizeBytes, modifiedAtNanoseconds }
    }),
  )
}

/** Whether the patterns of this folder or of one above it ignore the entry. */
function isIgnoredByRules(node: FolderNode, entry: Dirent): boolean {
  const path = `${node.path}/${entry.name}${entry.isDirectory() ? '/' : ''}`
  for (let above: FolderNode | undefined = node; above !== undefined; above = above.parent) {
    if (above.rules?.ignores(path.slice(above.path.length + 1)) === true) return true
  }
  return false
}

function addEntry(walk: Walk, node: FolderNode, entry: Dirent, visit: Visit): void {
  const path = `${node.path}/${entry.name}`
  if (entry.isDirectory()) {
    addFolder(walk, { path, realPath: `${node.realPath}/${entry.name}`, parent: node, depth: node.depth + 1 }, visit)
  } else if (entry.isSymbolicLink()) {
    addLink(walk, node, path, visit)
  } else if (walk.isWanted(entry.name)) {
    addFile(path, entry, visit.folder)
  }
}

function addFolder({ inner }: Walk, node: FolderNode, visit: Visit): void {
  visit.subfolders.push(node)
  visit.hasInner ||= inner?.names.test(basename(node.path)) === true
}

function addFile(path: string, entry: Dirent, folder: WalkedFolder): void {
  if (!entry.isFile()) {
    folder.problems.push({ path, code: 'not_a_regular_file', reason: 'a pipe, socket or device, not a file' })
    return
  }
  try {
    const stats = lstatSync(path, { bigint: true })
    if (stats.isFile()) folder.files.push(walkedFile(path, stats))
  } catch (error) {
    // Removed since it was listed: treated as if it had never existed.
    if (isNotFoundError(error)) return
    folder.isComplete = false
    folder.problems.push(problemOf(path, error))
  }
}

function addLink(walk: Walk, node: FolderNode, path: string, visit: Visit): void {
  const { folder } = visit
  const target = followLink(path, node, walk.rootRealPath)
  if (target.kind === 'problem') {
    folder.problems.push({ path, code: target.code, reason: target.reason })
    if (target.isUnknown) folder.isComplete = false
  } else if (target.kind === 'folder') {
    walk.linkedFolders += 1
    if (walk.linkedFolders <= MAX_LINKED_FOLDERS) {
      addFolder(walk, { path, realPath: target.realPath, parent: node, depth: node.depth + 1 }, visit)
    } else {
      folder.isComplete = false
      folder.problems.push({ path, code: 'too_many_links', reason: 'too many linked folders in one library' })
    }
  } else if (walk.isWanted(basename(target.realPath))) {
    if (target.stats.isFile()) folder.files.push(walkedFile(path, target.stats))
    else folder.problems.push({ path, code: 'not_a_regular_file', reason: 'a pipe, socket or device, not a file' })
  }
}

function walkedFile(path: string, stats: BigIntStats): WalkedFile {
  return { path, name: basename(path), sizeBytes: Number(stats.size), modifiedAtNanoseconds: stats.mtimeNs }
}

function problemOf(path: string, error: unknown): WalkProblem {
  return { path, code: systemErrorCode(error) ?? 'unknown', reason: describeError(error) }
}
