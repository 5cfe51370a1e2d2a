import { rm } from 'node:fs/promises'
import { readProcessLock } from '../../platform/spawn/index.ts'
import type { Check } from '../doctor-context.ts'
import { ok, warning } from '../finding.ts'
import { serveLockPath } from '../serve-lock-path.ts'
import { sqlCommand } from '../sql-command.ts'

/** Servers of one database run the same periodic work; a killed server leaves its lock file. */
export const secondDaemonCheck: Check = {
  id: 'second-daemon',
  async run({ config, database, phlix, listDaemonProcesses }) {
    const path = serveLockPath(config)
    const { state, holder } = readProcessLock(path)
    if (state === 'dead') {
      return [
        warning(`${path} belongs to a server that was killed`, phlix('doctor --only second-daemon --fix'), () =>
          rm(path, { force: true }),
        ),
      ]
    }
    const servers = 'db' in database ? await listDaemonProcesses(database) : []
    if (servers.length > 1 && 'connectionUri' in database) {
      const newest = servers.at(-1) ?? 0
      const statement = `select pg_terminate_backend(${newest})`
      return [warning(`${servers.length} servers use this database`, sqlCommand(database.connectionUri, statement))]
    }
    return ok(holder === undefined ? 'no server runs' : `one server runs, process ${holder.pid}`)
  },
}
