import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

const DEPTH = 2
/** Maximum number of files that a message names. */
const NAMED = 3

/** Files that another account made, for example root with a command, which the server may not be able to read or replace. */
export const fileOwnersCheck: DoctorCheck = {
  id: 'owners',
  async run({ config: { dataDirectory }, serviceAccount }) {
    const account = serviceAccount ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: null }
    // Under root the embedded database has an account of its own.
    if (account.uid === 0) return okResult('the server runs as root')
    const foreign = await filesOfOthers(dataDirectory, { uid: account.uid, depth: DEPTH })
    const [first] = foreign
    if (first === undefined) return okResult(`all files belong to ${account.name ?? `uid ${account.uid}`}`)
    const named = foreign.slice(0, NAMED).join(', ')
    const more = foreign.length > NAMED ? ` and ${foreign.length - NAMED} more` : ''
    const command = `chown -hR ${account.uid}:${account.gid} ${shellQuote(dataDirectory)}`
    return [errorResult(`other accounts own ${named}${more}`, command)]
  },
}

async function filesOfOthers(folder: string, { uid, depth }: { uid: number; depth: number }): Promise<string[]> {
  const names: string[] = await readdir(folder).catch(() => [])
  const paths: string[] = []
  for (const name of names.toSorted()) {
    const path = join(folder, name)
    const entry = await lstat(path).catch(() => undefined)
    if (entry === undefined) continue
    if (entry.uid !== uid) paths.push(path)
    if (entry.isDirectory() && depth > 1) paths.push(...(await filesOfOthers(path, { uid, depth: depth - 1 })))
  }
  return paths
}
