import { mediaKindOf } from './content-types.ts'

/**
 * Folders of storage appliances, desktops and other media servers, which hold copies, snapshots, trash or previews and never
 * media of their own. The union of what Jellyfin, Navidrome and Audiobookshelf leave out; compared without regard to case.
 */
const IGNORED_FOLDERS = new Set([
  '@eadir',
  'eadir',
  '#recycle',
  '@recycle',
  '.@__thumb',
  '#snapshot',
  '@recently-snapshot',
  '.snapshot',
  '.snapshots',
  '.zfs',
  '$recycle.bin',
  'system volume information',
  'lost+found',
  '.appledouble',
  '.git',
  '.streams',
  '.actors',
  '.grab',
  '.wd_tv',
  '.fseventsd',
  '.spotlight-v100',
  '.temporaryitems',
  '.trash',
  '.trashes',
  'extrafanart',
  'extrathumbs',
  'metadata',
  'ps3_update',
  'ps3_vprm',
  'subs',
])

const IGNORED_FOLDER_FORM = /^(?:\.trash-|\._)|\.trickplay$/i

const IGNORED_FILES = new Set(['thumbs.db', 'desktop.ini', 'small.jpg', 'albumart.jpg'])

/** What browsers, torrent clients and copy programs call a file that is not whole yet. */
const PARTIAL_DOWNLOAD = /(?:\.(?:part|partial|partial~|tmp|temp|crdownload|download|!qb|!ut)|~)$/i

/** Whether the walk leaves out a folder entry for its name alone (design: scanning, names and odd files). */
export function isIgnoredName(name: string, isDirectory: boolean): boolean {
  const lower = name.toLowerCase()
  if (isDirectory) return IGNORED_FOLDERS.has(lower) || IGNORED_FOLDER_FORM.test(lower)
  return lower.startsWith('.') || IGNORED_FILES.has(lower) || PARTIAL_DOWNLOAD.test(lower) || isSampleName(lower)
}

/** `sample.mkv` and `300.sample.mkv`, but not `The DNA Sample.mkv`; videos only, for a song or a picture may be called so. */
export function isSampleName(name: string): boolean {
  return mediaKindOf(name) === 'video' && /(?:^|\.)sample\.[^.]+$/i.test(name)
}
