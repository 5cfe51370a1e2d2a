import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnginePassword } from './engine-password.ts'

/** Paths of the embedded engine. All are inside the data directory, except the sockets when that path is too long for a socket. */
export type EnginePaths = {
  dataDirectory: string
  /** PGDATA. */
  cluster: string
  /** Holds the server's socket and the supervisors' folders; mode 0700. */
  sockets: string
  /** A symbolic link to the folder of the supervisor whose server accepts connections. */
  supervisor: string
  serverLog: string
}

/** sun_path of a Unix socket holds 107 bytes and a NUL (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107

/** PostgreSQL names its socket after a port. There is no TCP listener. */
const SERVER_SOCKET_NAME = '.s.PGSQL.5432'

export function enginePaths(dataDirectory: string): EnginePaths {
  const sockets = socketDirectory(dataDirectory)
  return {
    dataDirectory,
    cluster: join(dataDirectory, 'postgres'),
    sockets,
    supervisor: join(sockets, 'keeper'),
    serverLog: join(dataDirectory, 'logs', 'postgres.log'),
  }
}

function socketDirectory(dataDirectory: string): string {
  const inside = join(dataDirectory, 'run')
  // PostgreSQL creates `<name>.lock` beside the socket first.
  const longest = Buffer.byteLength(join(inside, `${SERVER_SOCKET_NAME}.lock`))
  if (longest <= MAX_SOCKET_PATH_BYTES) return inside
  const hash = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
  return join(tmpdir(), `phlix-${hash}`)
}

/**
 * The connection URI for the pool and other clients. It contains the password of the role, so it must not be logged.
 * @param password undefined for a cluster without one
 */
export function engineConnectionUri(paths: EnginePaths, password = readEnginePassword(paths.cluster)): string {
  const account = password === undefined ? 'phlix' : `phlix:${password}`
  return `postgresql://${account}@${encodeURIComponent(paths.sockets)}/phlix`
}
