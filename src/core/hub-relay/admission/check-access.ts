import { hubErrors, type RelayDirectory, type StoredTunnel } from '../../hub/index.ts'

/**
 * Checks that the user may reach the server now.
 * @returns its tunnel, of any process of the hub; null when it has none
 * @throws AppError `server.not_found`, `server.not_owned`, `server.offline`
 */
export async function checkServerAccess(
  directory: RelayDirectory,
  { userId, serverId }: { userId: string; serverId: string },
): Promise<StoredTunnel | null> {
  const access = await directory.findServer({ userId, serverId })
  if (access.state === 'not_found') throw hubErrors.server_not_found()
  if (access.state === 'not_owned') throw hubErrors.server_not_owned()
  if (access.state === 'offline')
    throw hubErrors.server_offline({ message: 'The server has not reported to the hub for some time.' })
  return access.tunnel
}
