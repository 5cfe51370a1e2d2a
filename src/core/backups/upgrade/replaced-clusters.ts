import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import { giveToOwner, makeOwnedFolder } from '../../platform/files/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'

/** Marks a folder `previous-…` that an upgrade of the engine made. Those of restores have no mark and are kept. */
const MARK = 'replaced-cluster.json'

const KEPT_DAYS = 14
const DAY_MILLISECONDS = 86_400_000

const MarkSchema = z.object({
  /** Major version of PostgreSQL. */
  from: z.string(),
  /** When a server first worked with the new cluster; null until then. */
  workedAt: z.iso.datetime().nullable(),
})

type Mark = z.infer<typeof MarkSchema>

/** Makes the folder that receives the old cluster, with the mark of an upgrade. */
export function markReplacedCluster(input: { dataDirectory: string; folder: string; from: string }): void {
  makeOwnedFolder(input.dataDirectory, input.folder, 0o711)
  writeMark(input, { from: input.from, workedAt: null })
}

/**
 * Removes the clusters that upgrades have replaced, two weeks after a server first worked with the new one. Until then the release before
 * can be used again. Called by a running server, which records that it works.
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
  const now = clock.now()
  for (const folder of previousFolders(dataDirectory)) {
    const mark = readMark(folder)
    if (mark === undefined) continue
    if (mark.workedAt === null) writeMark({ dataDirectory, folder }, { ...mark, workedAt: now.toISOString() })
    else if (now.getTime() - new Date(mark.workedAt).getTime() >= KEPT_DAYS * DAY_MILLISECONDS) {
      await rm(folder, { recursive: true, force: true })
      log.notice({ folder, version: mark.from }, 'removed the database that an upgrade had replaced')
    }
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
  writeFileSync(path, `${JSON.stringify(mark)}\n`, { mode: 0o600 })
  giveToOwner(dataDirectory, path)
}
