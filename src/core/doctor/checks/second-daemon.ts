import { readProcessLock, removeDeadLock } from '../../platform/spawn/index.ts'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'
import { serveLockPath } from '../serve-lock-path.ts'
import { sqlCommand } from '../sql-command.ts'

/** Servers of one database run the same periodic work; a killed server leaves its lock file. */
export const secondDaemonCheck: DoctorCheck = {
  id: 'second-daemon',
  async run({ config, database, phlix, listDaemonProcesses }) {
    const path = serveLockPath(config)
    const { state, holder } = readProcessLock(path)
    const servers = 'db' in database ? await listDaemonProcesses(database) : []
    if (servers.length > 1 && 'connectionUri' in database) {
      const message = `${servers.length} servers use this database; stop all except one`
      return [warningResult(message, findCommand(config, database.connectionUri, servers))]
    }
    // A server that is connected may be about to replace the file.
    if (state === 'dead' && servers.length === 0) {
      return [
        warningResult(
          `${path} belongs to a server that was killed`,
          phlix('doctor --only second-daemon --fix'),
          async () => removeDeadLock(path),
        ),
      ]
    }
    return okResult(holder === undefined ? 'no server runs' : `one server runs, process ${holder.pid}`)
  },
}

/** Shows which servers these are: any of them may be the right one. */
function findCommand(
  { options }: DoctorContext['config'],
  connectionUri: string,
  processes: readonly number[],
): string {
  const isLocal = options['database.host']?.startsWith('/') ?? true
  if (isLocal) return `pgrep --list-full --full 'phlix.* serve'`
  const columns = 'pid, client_addr, backend_start'
  return sqlCommand(connectionUri, `select ${columns} from pg_stat_activity where pid in (${processes.join(', ')})`)
}
