import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import { changeOwnerToDataOwner, createOwnedFolder } from '../../platform/files/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'

/** Marks a folder `previous-…` that an upgrade of the engine made. Those of restores have no mark and are kept. */
const MARK = 'replaced-cluster.json'

const KEPT_DAYS = 14

const MarkSchema = z.object({
  /** Major version of PostgreSQL. */
  from: z.string(),
  /**
   * The days on which a server has worked with the new cluster, until they are enough. A time since the first of them would be too long if the
   * clock was wrong then, as that of a board without a battery before it knows the time.
   */
  workedOn: z.array(z.iso.date()),
})

type Mark = z.infer<typeof MarkSchema>

/** Makes the folder that receives the old cluster, with the mark of an upgrade. */
export function markReplacedCluster(input: { dataDirectory: string; folder: string; from: string }): void {
  createOwnedFolder(input.dataDirectory, input.folder, 0o711)
  writeMark(input, { from: input.from, workedOn: [] })
}

/**
 * Removes the clusters that upgrades have replaced, after a server has worked with the new one on 14 days. Until then the release before can
 * be used again. Called by a running server, which records that it works.
 */
export async function removeReplacedClusters({
  config: { dataDirectory },
  clock,
  log,
}: {
  config: Pick<Config, 'dataDirectory'>
  clock: Clock
  log: Logger
}): Promise<void> {
  const today = clock.now().toISOString().slice(0, 10)
  for (const folder of previousFolders(dataDirectory)) {
    const mark = readMark(folder)
    if (mark === undefined) continue
    const { from, workedOn } = mark
    const days = workedOn.includes(today) ? workedOn : [...workedOn, today]
    if (days.length <= KEPT_DAYS) {
      if (days !== workedOn) writeMark({ dataDirectory, folder }, { from, workedOn: days })
      continue
    }
    // The mark goes last, so that the next check continues a removal that was interrupted.
    await rm(join(folder, 'postgres'), { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
    log.notice({ folder, version: from }, 'removed the database that an upgrade had replaced')
  }
}

function previousFolders(dataDirectory: string): string[] {
  const names = readdirSync(dataDirectory).filter((name) => name.startsWith('previous-'))
  return names.map((name) => join(dataDirectory, name))
}

function readMark(folder: string): Mark | undefined {
  try {
    return MarkSchema.safeParse(parseJson(readFileSync(join(folder, MARK)))).data
  } catch {
    return undefined
  }
}

function writeMark({ dataDirectory, folder }: { dataDirectory: string; folder: string }, mark: Mark): void {
  const path = join(folder, MARK)
  // A folder whose mark is incomplete would be kept for ever.
  writeFileSync(`${path}.new`, `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true })
  changeOwnerToDataOwner(dataDirectory, `${path}.new`)
  renameSync(`${path}.new`, path)
}
