import type { MediaFolder } from './media-folders.ts'
import { CommandFailure, type RunPhlix } from './phlix.ts'

type Library = { id: string; name: string; type: string; paths: string[] }
type ScanResult = { found: number; added: number; failed_count: number }

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

/** A person's Ctrl-C and a supervisor's SIGTERM, which end quickstart too. */
const INTERRUPTED = new Set([130, 143])

/**
 * Scans libraries one after the other. One that cannot be scanned is told and stops nothing: the others can be served.
 * @throws CommandFailure when a scan was interrupted
 */
export async function scanLibraries(
  phlix: RunPhlix,
  libraries: readonly Library[],
  say: (line: string) => void,
): Promise<void> {
  for (const { id, name } of libraries) {
    try {
      say(`  ${name}: ${describe((await phlix(['library:scan', id])) as ScanResult)}`)
    } catch (error) {
      if (!(error instanceof CommandFailure) || INTERRUPTED.has(error.exit)) throw error
      say(`  ${name}: ${error.message}`)
    }
  }
}

function describe({ found, added, failed_count: unreadable }: ScanResult): string {
  const counts = [found === 1 ? '1 file' : `${found} files`, `${added} new`]
  return (unreadable === 0 ? counts : [...counts, `${unreadable} not readable`]).join(', ')
}
