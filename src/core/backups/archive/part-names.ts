/** Folders of an archive that contain files of the data directory. */
export const ARCHIVED_FOLDERS = ['config', 'keys', 'plugins', 'artwork'] as const

export type ArchivedFolder = (typeof ARCHIVED_FOLDERS)[number]

const TABLE_PART = /^tables\/[a-z_][a-z0-9_]{0,62}\/\d{6,}\.zst$/
const MAX_PATH_BYTES = 4096

/** Whether a name of an archive's part can be used as a path below a folder. Rejects absolute paths, `..`, and control characters. */
export function isSafePart(path: string): boolean {
  if (TABLE_PART.test(path)) return true
  const [folder = '', ...rest] = path.split('/')
  if (!(ARCHIVED_FOLDERS as readonly string[]).includes(folder) || rest.length === 0) return false
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return false
  return rest.every((name) => name !== '' && name !== '.' && name !== '..' && !hasControlCharacter(name))
}

function hasControlCharacter(name: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001F\u007F\\]/.test(name)
}
