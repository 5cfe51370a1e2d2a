import { Client } from 'pg'
import { asDatabaseError } from './database-errors.ts'

const CONNECTION_TIMEOUT_MILLISECONDS = 5000

/**
 * Work on one connection of its own, outside of the pool; what the session holds (locks, settings) ends with it.
 * @throws AppError `database_unavailable` when the server is away
 */
export async function withClient<Result>(
  connectionUri: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: connectionUri,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MILLISECONDS,
  })
  client.on('error', () => {
    // The query that was under way throws it.
  })
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw asDatabaseError(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}
