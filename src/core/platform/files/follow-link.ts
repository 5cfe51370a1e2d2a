import { realpathSync, statSync, type BigIntStats } from 'node:fs'
import { describeError, systemErrorCode } from '../errors/index.ts'
import type { IgnoreRules } from './ignore-rules.ts'

/** A folder on the way of a walk. */
export type Place = {
  /** As it is reached from the root that the caller named; links are not resolved. */
  path: string
  realPath: string
  parent: Place | undefined
  depth: number
  /** What the marker files of this folder leave out of it and of what lies below. */
  rules?: IgnoreRules | undefined
}

export type WalkProblem = {
  path: string
  /** An errno word, or one of this walk's own: `invalid_name`, `link_outside_root`, `link_loop` … */
  code: string
  reason: string
}

/** `isUnknown`: the target could not be looked at, so that nothing is known about what it held before. */
export type LinkTarget =
  | { kind: 'folder'; realPath: string }
  | { kind: 'file'; realPath: string; stats: BigIntStats }
  | { kind: 'problem'; code: string; reason: string; isUnknown: boolean }

/**
 * What a symbolic link inside `place` leads to. Links out of the root and links to a folder that the walk stands in are
 * problems. Folders are compared by their real paths: inode numbers of network file systems cannot be relied on.
 */
export function followLink(path: string, place: Place, rootRealPath: string): LinkTarget {
  let realPath: string
  let stats: BigIntStats
  try {
    realPath = realpathSync.native(path)
    stats = statSync(realPath, { bigint: true })
  } catch (error) {
    return isAbsence(error)
      ? refusal('dangling_link', 'the symbolic link leads nowhere')
      : { kind: 'problem', code: systemErrorCode(error) ?? 'unknown', reason: describeError(error), isUnknown: true }
  }
  if (realPath !== rootRealPath && !realPath.startsWith(`${rootRealPath}/`)) {
    return refusal('link_outside_root', 'the symbolic link leads out of the library folder')
  }
  if (!stats.isDirectory()) return { kind: 'file', realPath, stats }
  for (let above: Place | undefined = place; above !== undefined; above = above.parent) {
    if (above.realPath === realPath) {
      return refusal('link_loop', 'the symbolic link leads back to a folder above it')
    }
  }
  return { kind: 'folder', realPath }
}

function refusal(code: string, reason: string): LinkTarget {
  return { kind: 'problem', code, reason, isUnknown: false }
}

/** Whether a system error says that there is nothing at a path, as against "cannot tell". */
export function isAbsence(error: unknown): boolean {
  const code = systemErrorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP'
}
