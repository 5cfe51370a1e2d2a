import type { MediaFolder } from './media-folders.ts'
import { CommandFailure, type RunPhlix } from './phlix.ts'

export type Library = { id: string; name: string; type: string; paths: string[] }
type ScanResult = { found: number; added: number }
type Health = {
  counts: { bad: number }
  findings: { path: string | null; name: string | null; reason: string | null }[]
}

const NAMED_FILES = 10

/** Creates a library for each folder; an existing library of the folder is used unchanged. */
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

/** Exit codes after Ctrl-C and after SIGTERM, which end quickstart too. */
const INTERRUPTED = new Set([130, 143])

/**
 * Scans libraries sequentially, and names unreadable files. A library that cannot be scanned is reported and does not stop the others.
 * @throws CommandFailure when a scan was interrupted
 */
export async function scanLibraries(
  phlix: RunPhlix,
  libraries: readonly Library[],
  say: (line: string) => void,
): Promise<void> {
  for (const { id, name } of libraries) {
    try {
      const scan = (await phlix(['library:scan', id])) as ScanResult
      const health = (await phlix(['library:health', id, '--bad', '--limit', `${NAMED_FILES}`])) as Health
      for (const line of describe(name, { scan, health })) say(`  ${line}`)
    } catch (error) {
      if (!(error instanceof CommandFailure) || INTERRUPTED.has(error.exit)) throw error
      say(`  ${name}: ${error.message}`)
    }
  }
}

function describe(name: string, { scan, health }: { scan: ScanResult; health: Health }): string[] {
  const { found, added } = scan
  const { bad } = health.counts
  const counts = [
    found === 1 ? '1 file' : `${found} files`,
    `${added} new`,
    ...(bad === 0 ? [] : [`${bad} not readable`]),
  ]
  const named = health.findings.map(({ path, name, reason }) => `  ${path ?? name ?? ''}: ${reason ?? 'not readable'}`)
  const hidden = bad - named.length
  if (hidden > 0) named.push(`  and ${hidden} more: bin/phlix library:health '${name}' --bad`)
  return [`${name}: ${counts.join(', ')}`, ...named]
}
