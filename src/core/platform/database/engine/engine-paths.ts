import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the embedded engine keeps what, all inside the data directory unless its path is too long for sockets. */
export type EnginePaths = {
  dataDirectory: string
  /** PGDATA. */
  cluster: string
  /** The server's socket, and the folders of keepers; 0700. */
  sockets: string
  /** A link to the folder of the keeper whose server takes connections. */
  keeper: string
  serverLog: string
}

/** sun_path of a Unix socket holds 107 bytes and a NUL (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107

/** PostgreSQL names its socket after a port; nobody listens on it. */
const SERVER_SOCKET_NAME = '.s.PGSQL.5432'

export function enginePaths(dataDirectory: string): EnginePaths {
  const sockets = socketDirectory(dataDirectory)
  return {
    dataDirectory,
    cluster: join(dataDirectory, 'postgres'),
    sockets,
    keeper: join(sockets, 'keeper'),
    serverLog: join(dataDirectory, 'logs', 'postgres.log'),
  }
}

function socketDirectory(dataDirectory: string): string {
  const inside = join(dataDirectory, 'run')
  // PostgreSQL first makes `<name>.lock` beside the socket.
  const longest = Buffer.byteLength(join(inside, `${SERVER_SOCKET_NAME}.lock`))
  if (longest <= MAX_SOCKET_PATH_BYTES) return inside
  const hash = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
  return join(tmpdir(), `phlix-${hash}`)
}

/** The address that the pool and other clients connect to. */
export function engineConnectionUri(paths: EnginePaths): string {
  return `postgresql://phlix@${encodeURIComponent(paths.sockets)}/phlix`
}
