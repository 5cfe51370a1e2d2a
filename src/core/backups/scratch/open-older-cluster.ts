import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { joinEngine, type EngineVersion } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { IDLE_LIMIT_MILLISECONDS, makeSideFolder, untilEngineEnds } from './open-scratch.ts'

/** The cluster of the data directory, whose server has an older version than this release. */
type OlderCluster = {
  connectionUri: string
  /** Stops the server and waits for its end. */
  close(): Promise<void>
}

type Input = { config: Config; log: Logger; version: EngineVersion }

/**
 * Starts the cluster of the data directory with programs of its own version. The server belongs to a side folder, in which the cluster is a
 * link: its socket is there, so that no other process joins it and writes rows that the upgrade would miss.
 * @throws AppError `restore_in_use` while another process uses the cluster; `engine_failed`
 */
export async function openOlderCluster({ config, log, version }: Input): Promise<OlderCluster> {
  await untilEngineEnds(config.dataDirectory, IDLE_LIMIT_MILLISECONDS)
  const folder = await makeSideFolder(config.dataDirectory)
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await symlink(join('..', 'postgres'), join(folder, 'postgres'))
    const lease = await joinEngine({ dataDirectory: folder, log, version })
    return {
      connectionUri: lease.connectionUri,
      async close() {
        await lease.leave()
        await untilEngineEnds(folder)
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
