import { extname } from 'node:path'
import type { Role } from './media-kind.ts'

/** What a camera wrote before any program made a picture of it. */
const RAW = new Set(['.arw', '.cr2', '.dng', '.nef', '.nrw', '.pef', '.srw'])

const LIVE_FILM = '.mov'

/** Which of several pictures with one name stands for them, the best first; only these have a film or a raw file beside them. */
const FINISHED = ['.heic', '.heif', '.jpg', '.jpeg']

/**
 * The files of a folder that belong to a picture with the same name but for the extension: the raw file is a version of it, and a `.mov`
 * the film of a live photo, an extra (design/scanning.md 3, Photos). A raw file without picture stands for itself.
 * @returns by file name; names that are not in it belong to nobody
 */
export function photoCompanions(names: readonly string[]): Map<string, Role> {
  const files = names.map(partsOf)
  const pictures = new Map<string, Named>()
  for (const file of files) {
    const rank = FINISHED.indexOf(file.extension)
    const known = pictures.get(file.stem)
    if (rank >= 0 && (known === undefined || rank < FINISHED.indexOf(known.extension))) pictures.set(file.stem, file)
  }
  const companions = new Map<string, Role>()
  for (const { name, stem, extension } of files) {
    const picture = isCompanion(extension) ? pictures.get(stem) : undefined
    if (picture !== undefined) companions.set(name, roleOf(extension, picture.name))
  }
  return companions
}

type Named = { name: string; stem: string; extension: string }

/** The stem as file systems without capitals keep names. */
function partsOf(name: string): Named {
  const extension = extname(name)
  const stem = name
    .slice(0, name.length - extension.length)
    .normalize('NFC')
    .toLowerCase()
  return { name, stem, extension: extension.toLowerCase() }
}

function isCompanion(extension: string): boolean {
  return extension === LIVE_FILM || RAW.has(extension)
}

function roleOf(extension: string, picture: string): Role {
  const of = { file: picture }
  if (extension === LIVE_FILM) return { kind: 'extra', of, label: 'live photo', order: null }
  return { kind: 'version', of, label: extension.slice(1).toUpperCase(), order: null }
}
