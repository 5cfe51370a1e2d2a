import { realpathSync, statSync, type BigIntStats } from 'node:fs'
import { describeError, systemErrorCode } from '../errors/index.ts'
import { isNotFoundError } from './file-error.ts'
import type { IgnoreRules } from './ignore-rules.ts'

/** A folder of a walk. */
export type FolderNode = {
  /** The path from the given root; links are not resolved. */
  path: string
  realPath: string
  parent: FolderNode | undefined
  depth: number
  /** The ignore rules of this folder's marker files, for the folder and everything below it. */
  rules?: IgnoreRules | undefined
}

export type WalkProblem = {
  path: string
  /** An errno code, or one of the walk: `invalid_name`, `link_outside_root`, `link_loop` … */
  code: string
  reason: string
}

/** `isUnknown`: the target could not be examined, so that the state of its files is unknown. */
export type LinkTarget =
  | { kind: 'folder'; realPath: string }
  | { kind: 'file'; realPath: string; stats: BigIntStats }
  | { kind: 'problem'; code: string; reason: string; isUnknown: boolean }

/**
 * Resolves a symbolic link inside `place`. Links out of the root and links to a folder above the link are problems. Folders are compared by
 * real path, because inode numbers of network file systems are not reliable.
 */
export function followLink(path: string, node: FolderNode, rootRealPath: string): LinkTarget {
  let realPath: string
  let stats: BigIntStats
  try {
    realPath = realpathSync.native(path)
    stats = statSync(realPath, { bigint: true })
  } catch (error) {
    return isNotFoundError(error)
      ? refusal('dangling_link', 'the symbolic link leads nowhere')
      : { kind: 'problem', code: systemErrorCode(error) ?? 'unknown', reason: describeError(error), isUnknown: true }
  }
  if (realPath !== rootRealPath && !realPath.startsWith(`${rootRealPath}/`)) {
    return refusal('link_outside_root', 'the symbolic link leads out of the library folder')
  }
  if (!stats.isDirectory()) return { kind: 'file', realPath, stats }
  for (let above: FolderNode | undefined = node; above !== undefined; above = above.parent) {
    if (above.realPath === realPath) {
      return refusal('link_loop', 'the symbolic link leads back to a folder above it')
    }
  }
  return { kind: 'folder', realPath }
}

function refusal(code: string, reason: string): LinkTarget {
  return { kind: 'problem', code, reason, isUnknown: false }
}
