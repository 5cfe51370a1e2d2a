import { extname } from 'node:path'

/** Containers that browsers play. Others are converted for guests: their files would be downloads. */
const PLAYED = new Set(['mp4', 'm4v', 'mov', 'webm', 'mp3', 'm4a', 'aac', 'flac', 'ogg', 'oga', 'opus', 'wav'])

/** Whether browsers play a file by its name. Pure. */
export function hasBrowserPlayableExtension(path: string): boolean {
  return PLAYED.has(extname(path).slice(1).toLowerCase())
}
