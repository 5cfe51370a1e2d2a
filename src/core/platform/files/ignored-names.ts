import { mediaFileKind } from './content-types.ts'

/**
 * Folders of storage appliances, desktops and other media servers, which hold copies, snapshots, trash or previews and never media. The
 * union of the lists of Jellyfin, Navidrome and Audiobookshelf; compared case-insensitively.
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

/** Names of incomplete files of browsers, torrent clients and copy programs. */
const PARTIAL_DOWNLOAD = /(?:\.(?:part|partial|partial~|tmp|temp|crdownload|download|!qb|!ut)|~)$/i

/** Whether the walk skips a folder entry because of its name. */
export function isIgnoredName(name: string, isDirectory: boolean): boolean {
  const lower = name.toLowerCase()
  if (isDirectory) return IGNORED_FOLDERS.has(lower) || IGNORED_FOLDER_FORM.test(lower)
  return lower.startsWith('.') || IGNORED_FILES.has(lower) || PARTIAL_DOWNLOAD.test(lower) || isSampleName(lower)
}

/** `sample.mkv` and `300.sample.mkv`, but not `The DNA Sample.mkv`. Videos only, because songs and pictures may have that name. */
export function isSampleName(name: string): boolean {
  return mediaFileKind(name) === 'video' && /(?:^|\.)sample\.[^.]+$/i.test(name)
}
