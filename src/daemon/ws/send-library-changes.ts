import { describeError } from '../../core/platform/errors/index.ts'
import type { Events } from '../../core/platform/events/index.ts'
import type { SigningServices } from '../../core/services.ts'
import type { SocketConnections } from './connections.ts'
import type { MessageViews } from './messages.view.ts'

type Announcement = {
  connections: Pick<SocketConnections, 'profileIds' | 'sendWhere'>
  views: Pick<MessageViews, 'libraryUpdated' | 'libraryUpdatedWithoutCounts'>
  event: Events['library.updated']
}

/** Tells the profiles that see a library that it has changed. Their limits are read now: a connection may be older than its limit. */
export async function sendLibraryChanges(
  { viewers, log }: Pick<SigningServices, 'viewers' | 'log'>,
  { connections, views, event }: Announcement,
): Promise<void> {
  try {
    const seeing = await viewers.whoSeesLibrary(connections.profileIds(), event.libraryId)
    connections.sendWhere(({ isAdmin, profile }) => isAdmin && seeing.has(profile.id), views.libraryUpdated(event))
    connections.sendWhere(
      ({ isAdmin, profile }) => !isAdmin && seeing.has(profile.id),
      views.libraryUpdatedWithoutCounts(event),
    )
  } catch (error) {
    log.warning({ reason: describeError(error) }, 'a change of a library could not be announced')
  }
}
