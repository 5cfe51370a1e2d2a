import { extname } from 'node:path'

/** Containers that browsers play. Others are converted for guests, because a browser would only download their files. */
const PLAYABLE = new Set(['mp4', 'm4v', 'mov', 'webm', 'mp3', 'm4a', 'aac', 'flac', 'ogg', 'oga', 'opus', 'wav'])

/** Whether browsers play a file, by the extension of its name. Pure. */
export function hasBrowserPlayableExtension(path: string): boolean {
  return PLAYABLE.has(extname(path).slice(1).toLowerCase())
}
