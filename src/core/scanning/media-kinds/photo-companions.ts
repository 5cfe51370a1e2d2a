import { extname } from 'node:path'
import type { FileRole } from './media-kind.ts'

/** Camera raw formats. */
const RAW = new Set(['.arw', '.cr2', '.dng', '.nef', '.nrw', '.pef', '.srw'])

const LIVE_FILM = '.mov'

/** Processed formats, the preferred first. Only these have companions: a raw file or the video of a live photo. */
const FINISHED = ['.heic', '.heif', '.jpg', '.jpeg']

/**
 * Returns the companions of pictures, matched by the name without extension: a raw file is a version, and a `.mov` is an extra, the video
 * of a live photo. A raw file without a picture is an item of its own.
 * @returns roles by file name; other files have no owner
 */
export function photoCompanions(names: readonly string[]): Map<string, FileRole> {
  const files = names.map(partsOf)
  const pictures = new Map<string, Named>()
  for (const file of files) {
    const rank = FINISHED.indexOf(file.extension)
    const known = pictures.get(file.stem)
    if (rank >= 0 && (known === undefined || rank < FINISHED.indexOf(known.extension))) pictures.set(file.stem, file)
  }
  const companions = new Map<string, FileRole>()
  for (const { name, stem, extension } of files) {
    const picture = isCompanion(extension) ? pictures.get(stem) : undefined
    if (picture !== undefined) companions.set(name, roleOf(extension, picture.name))
  }
  return companions
}

type Named = { name: string; stem: string; extension: string }

/** Splits a name. The stem is folded, because some file systems are case-insensitive. */
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

function roleOf(extension: string, picture: string): FileRole {
  const of = { file: picture }
  if (extension === LIVE_FILM) return { kind: 'extra', of, label: 'live photo', order: null }
  return { kind: 'version', of, label: extension.slice(1).toUpperCase(), order: null }
}
