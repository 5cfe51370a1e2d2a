import { Client } from 'pg'
import { toDatabaseError } from './database-errors.ts'

const CONNECTION_TIMEOUT_MILLISECONDS = 5000

/**
 * Runs work on one connection outside of the pool. Session state (locks, settings) ends with it.
 * @throws AppError `database_unavailable` when the server is unreachable
 */
export async function withDedicatedConnection<Result>(
  connectionUri: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: connectionUri,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MILLISECONDS,
  })
  client.on('error', () => {
    // Ignored: the running query rejects with the same error.
  })
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The connection URI of another database of the same server. */
export function replaceDatabaseName(connectionUri: string, name: string): string {
  return connectionUri.replace(/\/[^/]*$/, () => `/${encodeURIComponent(name)}`)
}

/** The name of the database of a connection URI. */
export function databaseNameFromUri(connectionUri: string): string {
  return decodeURIComponent(connectionUri.slice(connectionUri.lastIndexOf('/') + 1))
}
