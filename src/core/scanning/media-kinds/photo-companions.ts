import { extname } from 'node:path'
import type { Role } from './media-kind.ts'

/** What a camera wrote before any program made a picture of it. */
const RAW = new Set(['.arw', '.cr2', '.dng', '.nef', '.nrw', '.pef', '.srw'])

/** Which of several pictures with one name stands for them, the best first; only these have a film or a raw file beside them. */
const FINISHED = ['.heic', '.heif', '.jpg', '.jpeg']

/**
 * The files of a folder that belong to a picture with the same name but for the extension: the raw file is a version of it, and a `.mov`
 * the film of a live photo, an extra (design/scanning.md 3, Photos). A raw file without picture stands for itself.
 * @returns by file name; names that are not in it belong to nobody
 */
export function photoCompanions(names: readonly string[]): Map<string, Role> {
  const pictures = new Map<string, string>()
  for (const name of names) {
    const rank = FINISHED.indexOf(extensionOf(name))
    const known = pictures.get(stemOf(name))
    if (rank >= 0 && (known === undefined || rank < FINISHED.indexOf(extensionOf(known)))) {
      pictures.set(stemOf(name), name)
    }
  }
  const companions = new Map<string, Role>()
  for (const name of names) {
    const picture = pictures.get(stemOf(name))
    const role = picture === undefined ? undefined : roleOf(name, picture)
    if (role !== undefined) companions.set(name, role)
  }
  return companions
}

function roleOf(name: string, picture: string): Role | undefined {
  const extension = extensionOf(name)
  if (extension === '.mov') return { kind: 'extra', of: { file: picture }, label: 'live photo', order: null }
  if (!RAW.has(extension)) return undefined
  return { kind: 'version', of: { file: picture }, label: extension.slice(1).toUpperCase(), order: null }
}

function extensionOf(name: string): string {
  return extname(name).toLowerCase()
}

/** As file systems without capitals keep names. */
function stemOf(name: string): string {
  return name
    .slice(0, name.length - extname(name).length)
    .normalize('NFC')
    .toLowerCase()
}
