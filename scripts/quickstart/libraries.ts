import type { MediaFolder } from './media-folders.ts'
import { CommandFailure, type RunPhlix } from './phlix.ts'

type Library = { id: string; name: string; type: string; paths: string[] }
type ScanResult = { found: number; added: number; updated: number; failed: unknown[] }

/** A library for each folder; one that has the folder already is taken as it is. */
export async function ensureLibraries(phlix: RunPhlix, folders: readonly MediaFolder[]): Promise<Library[]> {
  const { libraries } = (await phlix(['library:list'])) as { libraries: Library[] }
  const all: Library[] = []
  for (const { name, type, path } of folders) {
    const present = libraries.find((library) => library.paths.includes(path))
    all.push(present ?? (await createLibrary(phlix, { name, type, path })))
  }
  return all
}

async function createLibrary(phlix: RunPhlix, { name, type, path }: MediaFolder): Promise<Library> {
  const { library } = (await phlix(['library:create', name, '--type', type, '--path', path])) as { library: Library }
  return library
}

/**
 * Scans what this version can scan. Which types those are is the program's answer, not known here.
 * @returns names of the libraries whose type is catalogued by a later version
 */
export async function scanLibraries(
  phlix: RunPhlix,
  libraries: readonly Library[],
  say: (line: string) => void,
): Promise<string[]> {
  const later: string[] = []
  for (const { id, name } of libraries) {
    try {
      const { found, added, failed } = (await phlix(['library:scan', id])) as ScanResult
      const unread = failed.length === 0 ? '' : `, ${failed.length} not readable`
      say(`  ${name}: ${found} files, ${added} new${unread}`)
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.code !== 'library_type_not_scannable') throw error
      later.push(name)
    }
  }
  return later
}
