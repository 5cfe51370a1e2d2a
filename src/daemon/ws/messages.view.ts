import type { Account } from '../../core/accounts/index.ts'
import type { AppError } from '../../core/platform/errors/index.ts'
import type { Events } from '../../core/platform/events/index.ts'
import type { Clock } from '../../core/platform/time/index.ts'
import type { NowPlaying } from '../../core/playback/index.ts'
import { errorBody, httpStatusOfError } from '../hooks/errors.ts'
import { nowPlayingView } from '../routes/statistics/now-playing.view.ts'

const PROTOCOL_VERSION = 1

/** Messages of the server in wire format: general messages in an envelope, SyncPlay messages flat. */
export type MessageViews = {
  /** Milliseconds since 1970 that never jump, so that players can rely on them. */
  serverMilliseconds(): number
  connected(hello: { id: string; account: Account; room: string | null; expiresAt: number }): object
  pong(): object
  error(error: AppError): object
  syncplayError(error: AppError): object
  /** A general message. */
  envelope(type: string, data: object): object
  /** A SyncPlay message. */
  flat(type: string, fields: object): object
  /** The answer of a process to a ping. */
  timePong(times: { clientTime: number; receivedAt: number; processId: string }): object
  /** With the numbers of items, which only administrators get: they count what others may not see. */
  libraryUpdated(event: Events['library.updated']): object
  libraryUpdatedWithoutCounts(event: Events['library.updated']): object
  requestAnswered(event: Events['request.answered']): object
  nowPlaying(list: { isSubscribed: boolean; playing: readonly NowPlaying[] }): object
  /** What the account may see, or its rights, have changed: clients load again what they show. */
  accessChanged(): object
  authSuccess(session: { account: Account; expiresAt: number }): object
  authFailure(error: AppError): object
}

/** @param serverMilliseconds the time base of players in milliseconds */
export function createMessageViews(clock: Clock, serverMilliseconds: () => number): MessageViews {
  const envelope: MessageViews['envelope'] = (type, data) => ({ type, data, timestamp: clock.unixSeconds() })
  const flat: MessageViews['flat'] = (type, fields) => ({
    type,
    protocol_version: PROTOCOL_VERSION,
    timestamp: Math.round(serverMilliseconds()),
    ...fields,
  })
  return {
    serverMilliseconds,
    flat,
    envelope,
    connected: ({ id, account, room, expiresAt }) =>
      envelope('connected', {
        connection_id: id,
        user_id: account.id,
        username: account.username,
        room,
        server_time: Math.round(serverMilliseconds()),
        expires_in: expiresAt - clock.unixSeconds(),
      }),
    pong: () => envelope('pong', {}),
    error: (error) => envelope('error', errorView(error)),
    syncplayError: (error) => flat('syncplay_error', syncplayErrorView(error)),
    timePong({ clientTime, receivedAt, processId }) {
      const sentAt = serverMilliseconds()
      // Some clients read only integers. The precise times are for the others.
      return flat('syncplay_time_pong', {
        client_time: clientTime,
        server_time: Math.round(receivedAt),
        server_send_time: Math.round(sentAt),
        precise_server_time: receivedAt,
        precise_server_send_time: sentAt,
        process_id: processId,
      })
    },
    libraryUpdated: (event) =>
      envelope('library_updated', {
        ...libraryUpdatedView(event),
        items_added: event.itemsAdded,
        items_removed: event.itemsRemoved,
      }),
    libraryUpdatedWithoutCounts: (event) => envelope('library_updated', libraryUpdatedView(event)),
    requestAnswered: (event) => envelope('notification', requestAnsweredView(event)),
    nowPlaying: ({ isSubscribed, playing }) =>
      envelope('dashboard_now_playing', { now_playing: playing.map(nowPlayingView), subscribed: isSubscribed }),
    accessChanged: () => envelope('access_changed', {}),
    authSuccess: ({ account, expiresAt }) =>
      envelope('auth_success', { user_id: account.id, expires_in: expiresAt - clock.unixSeconds() }),
    authFailure: (error) => envelope('auth_failure', errorView(error)),
  }
}

function errorView(error: AppError) {
  const { error: title, code, message = title, ...details } = errorBody(error, httpStatusOfError(error))
  return { ...details, error: title, code, message }
}

/** Clients read the code under either key. */
function syncplayErrorView(error: AppError) {
  const { code, message } = errorView(error)
  return { error_code: code, code, message }
}

function libraryUpdatedView(event: Events['library.updated']) {
  return {
    library_id: event.libraryId,
    job_id: event.scanJobId,
    job_type: event.jobType,
    status: event.outcome,
  }
}

function requestAnsweredView({ requestId, title, status, rejectionReason }: Events['request.answered']) {
  return { kind: 'request', request_id: requestId, title, status, rejection_reason: rejectionReason }
}
