import { shellQuote } from './shell-quote.ts'

/** Names of values that contain the path of a file, or that identify a person. */
const PRIVATE_NAMES: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'file',
  'folder',
  'folders',
  'root',
  'currentPath',
  'current_path',
  'ip',
  'clientAddress',
  'user',
  'username',
  'email',
  'name',
])

/** Folders whose paths reveal nothing about a person or media, and paths of the HTTP interface. */
const PUBLIC_FOLDERS = ['/usr', '/etc/phlix', '/proc', '/dev', '/api']

const REMOVED = '<removed>'

export type PrivatePaths = {
  dataDirectory: string
  /** The folders of the libraries; undefined if they are not known: then a path may be one of media, and ends with its line. */
  folders: readonly string[] | undefined
}

/** A copy of JSON data without the values of private names and without private paths in texts, which may hold JSON themselves. */
export function redactPathsInData(data: unknown, paths: PrivatePaths): unknown {
  if (typeof data === 'string') return redactPathsInText(data, paths)
  if (Array.isArray(data)) return data.map((item) => redactPathsInData(item, paths))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      PRIVATE_NAMES.has(name) && isText(value) ? REMOVED : redactPathsInData(value, paths),
    ]),
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value)
}

/**
 * Replaces private paths in a text: folders of libraries with everything below them, and other absolute paths. The data directory becomes
 * `<data>`, because it may be in the folder of a person.
 */
export function redactPathsInText(text: string, paths: PrivatePaths): string {
  const [, prefix = '', json = ''] = /^(\[[^\]\n]{1,120}\] )?(\{.*\})$/s.exec(text) ?? []
  const inner = parsed(json)
  if (inner !== undefined) return prefix + JSON.stringify(redactPathsInData(inner, paths))
  // The longest first: a folder may begin like another one.
  const folders = (paths.folders ?? []).toSorted((a, b) => b.length - a.length)
  const withoutMedia = folders.reduce((rest, folder) => rest.replaceAll(atOrBelow(folder), '<media>'), text)
  const withoutData = withoutMedia.replaceAll(exactly(paths.dataDirectory), '<data>')
  return paths.folders === undefined ? cutLines(withoutData) : withoutData.replaceAll(PATH, publicOr('<path>'))
}

function parsed(json: string): unknown {
  if (json === '') return undefined
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

/** An absolute path up to the next space or quote. Not the path of a web address, and not the rest of a path that was replaced. */
const PATH = /(?<![\w:/.>-])(?:file:\/\/)?\/[^\s"'`,;)]+/g

function publicOr(replacement: string): (path: string) => string {
  return (path) => (isPublic(path) ? path : replacement)
}

function isPublic(path: string): boolean {
  const plain = path.replace('file://', '')
  const isNormal = !plain.split('/').includes('..')
  return isNormal && PUBLIC_FOLDERS.some((folder) => plain === folder || plain.startsWith(`${folder}/`))
}

/** Cuts each line before its first path that is not public. File names can contain spaces and quotes, so the end of a path is unknown. */
function cutLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const first = [...line.matchAll(PATH)].find(([path]) => !isPublic(path))
      return first === undefined ? line : `${line.slice(0, first.index)}<path>`
    })
    .join('\n')
}

/** A path at or below a folder, as texts, JSON, SQL and shell commands contain it. It ends at a quote or at the end of the line. */
function atOrBelow(folder: string): RegExp {
  return new RegExp(`(?:${spellings(folder)})(?:/[^"\\n]{0,4096})?(?![\\w-])`, 'g')
}

function exactly(folder: string): RegExp {
  return new RegExp(`(?:${spellings(folder)})(?![\\w.-])`, 'g')
}

function spellings(folder: string): string {
  const quoted = shellQuote(folder)
  const inShell = quoted.startsWith("'") ? quoted.slice(1, -1) : quoted
  const inJson = JSON.stringify(folder).slice(1, -1)
  const all = [folder, inShell, inJson, JSON.stringify(inShell).slice(1, -1), folder.replaceAll("'", "''")]
  return [...new Set(all)].map(escaped).join('|')
}

/** The text as a part of a regular expression that matches only it. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
