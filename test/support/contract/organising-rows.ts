import { CONSOLE, MOBILE, ROKU, WEB, type ClientRow } from './client-row.ts'
import { UNKNOWN, type Filled } from './filled-server.ts'

/** Smart playlists, collections, requests, webhooks and statistics, in an executable order. */
export function organisingRows(filled: Filled): ClientRow[] {
  return [
    ...playlistRows(filled),
    ...collectionRows(filled),
    ...requestRows(filled),
    ...webhookRows(filled),
    ...statsRows(),
  ]
}

const RULES = { logic: 'and', rules: [{ field: 'title', op: 'contains', value: 'a' }] }

function playlistRows({ smartPlaylistId, libraryId }: Filled): ClientRow[] {
  const row = ['id', 'name', 'library_id', 'rules_json', 'limit', 'sort_by', 'sort_desc']
  const one = `/smart-playlists/${smartPlaylistId}`
  const made = { name: 'Some', library_id: libraryId, rules_json: RULES, limit: 5, sort_by: 'title', sort_desc: true }
  return [
    { clients: 'none', ask: 'GET /smart-playlists', reads: row.map((key) => `smart_playlists.${key}`) },
    { clients: 'none', ask: 'POST /smart-playlists', body: made, status: 201, reads: row },
    { clients: 'none', ask: 'POST /smart-playlists', body: { name: 'Some' }, status: 400, reads: ['error'] },
    { clients: 'none', ask: `GET ${one}`, reads: row },
    { clients: 'none', ask: `GET /smart-playlists/${UNKNOWN}`, status: 404, reads: ['error'] },
    { clients: 'none', ask: `PUT ${one}`, body: { rules_json: JSON.stringify(RULES) }, reads: row },
    {
      clients: 'none',
      ask: `POST ${one}/preview`,
      body: { rules_json: RULES, limit: 3 },
      reads: ['playlist_id', 'matched_count', 'items.id'],
    },
    { clients: 'none', ask: `POST ${one}/preview`, body: { limit: -1 }, status: 400, reads: ['error'] },
    { clients: 'none', ask: `DELETE /smart-playlists/${UNKNOWN}`, status: 404, reads: ['error'] },
  ]
}

function collectionRows({ collectionId, smartCollectionId, libraryId, film, otherFilm }: Filled): ClientRow[] {
  const one = `/collections/${collectionId}`
  const row = ['id', 'name', 'library_id'].map((key) => `collection.${key}`)
  const rows = ['collections.id', 'collections.name', 'collections.library_id']
  return [
    { clients: 'web console mobile roku', ask: 'GET /collections', headers: ROKU, reads: rows },
    { clients: 'web console', ask: `GET /libraries/${libraryId}/collections`, headers: CONSOLE, reads: rows },
    { clients: 'web', ask: 'POST /collections', body: { name: 'Two', library_id: libraryId }, status: 201, reads: row },
    { clients: 'web', ask: 'POST /collections', body: { library_id: libraryId }, status: 400, reads: ['error'] },
    { clients: 'web mobile roku', ask: `POST ${one}/items/${film}`, headers: WEB, reads: ['message'] },
    {
      clients: 'web mobile',
      ask: `POST ${one}/bulk-add`,
      body: { media_item_ids: [otherFilm] },
      headers: MOBILE,
      reads: ['message', 'added_count'],
    },
    { clients: 'web', ask: `POST ${one}/bulk-add`, body: { media_item_ids: [] }, status: 400, reads: ['error'] },
    { clients: 'web console mobile roku', ask: `GET ${one}`, reads: [...row, 'items.id', 'items.metadata', 'total'] },
    { clients: 'web', ask: `PUT ${one}`, body: { name: 'Renamed' }, reads: row },
    { clients: 'web mobile', ask: `DELETE ${one}/items/${film}`, headers: WEB, reads: ['message'] },
    { clients: 'web console', ask: `POST ${one}/refresh`, headers: WEB, status: 400, reads: ['error'] },
    { clients: 'web console', ask: `POST /collections/${smartCollectionId}/refresh`, reads: ['message'] },
    { clients: 'web', ask: `DELETE ${one}`, reads: ['message'] },
    { clients: 'web', ask: `GET ${one}`, status: 404, reads: ['error'] },
  ]
}

function requestRows({ requestId }: Filled): ClientRow[] {
  const rows = ['id', 'type', 'title', 'status'].map((key) => `requests.${key}`)
  const body = { type: 'series', tmdb_id: 1396, title: 'Show', poster_url: null, season: 1, episode: 2 }
  return [
    { clients: 'web', ask: 'POST /me/requests', body, status: 201, reads: ['request.id', 'request.status'] },
    { clients: 'web', ask: 'POST /me/requests', body: { type: 'song' }, status: 400, reads: ['error'] },
    { clients: 'web', ask: 'GET /me/requests', headers: WEB, reads: [...rows, 'count'] },
    { clients: 'web', ask: `GET /me/requests/${requestId}`, reads: ['request.id'] },
    { clients: 'web', ask: 'GET /admin/requests', as: 'admin', reads: rows },
    { clients: 'web', ask: 'GET /admin/requests', status: 403, reads: ['error'] },
    // No server that could fetch it is configured.
    { clients: 'web', ask: `POST /admin/requests/${requestId}/approve`, as: 'admin', status: 500, reads: ['error'] },
    {
      clients: 'web',
      ask: `POST /admin/requests/${requestId}/deny`,
      as: 'admin',
      body: { reason: 'seen' },
      reads: ['message', 'request_id'],
    },
    { clients: 'web', ask: `DELETE /me/requests/${requestId}`, status: 409, reads: ['error'] },
    { clients: 'web', ask: `DELETE /me/requests/${UNKNOWN}`, status: 404, reads: ['error'] },
  ]
}

function webhookRows({ webhookId }: Filled): ClientRow[] {
  const row = ['id', 'name', 'url', 'events', 'is_active', 'created_at', 'last_triggered_at', 'failure_count']
  const made = { name: 'Hub', url: 'https://1.1.1.1/hook', secret: 'a shared secret', events: ['library.updated'] }
  const one = `/admin/webhooks/${webhookId}`
  return [
    { clients: 'web', ask: 'GET /admin/webhooks', as: 'admin', reads: row.map((key) => `webhooks.${key}`) },
    { clients: 'web', ask: 'GET /admin/webhooks', status: 403, reads: ['error'] },
    {
      clients: 'web console',
      ask: 'POST /admin/webhooks',
      as: 'admin',
      body: made,
      status: 201,
      reads: ['webhook.id', 'webhook.name', 'webhook.url', 'webhook.events'],
    },
    ...[{ ...made, url: 'http://127.0.0.1/' }, { ...made, events: 'all' }, { name: 'Hub' }].map((body): ClientRow => ({
      clients: 'web',
      ask: 'POST /admin/webhooks',
      as: 'admin',
      body,
      status: 400,
      reads: ['error'],
    })),
    { clients: 'web', ask: `PUT ${one}`, as: 'admin', body: { name: 'Other' }, reads: ['webhook.id', 'webhook.name'] },
    { clients: 'web', ask: `PUT ${one}`, as: 'admin', body: {}, status: 400, reads: ['error'] },
    { clients: 'web', ask: `POST /admin/webhooks/${UNKNOWN}/test`, as: 'admin', status: 404, reads: ['error'] },
    {
      clients: 'web',
      ask: `GET /admin/webhooks/logs?webhook_id=${webhookId}&status=all&page=1&per_page=20`,
      as: 'admin',
      reads: ['logs', 'total', 'page', 'per_page'],
    },
    { clients: 'web', ask: `POST /admin/webhooks/logs/${UNKNOWN}/retry`, as: 'admin', status: 404, reads: ['error'] },
    { clients: 'web', ask: `DELETE /admin/webhooks/logs/${UNKNOWN}`, as: 'admin', status: 404, reads: ['error'] },
    { clients: 'web', ask: `DELETE ${one}`, as: 'admin', status: 204, reads: [] },
    { clients: 'web', ask: `DELETE ${one}`, as: 'admin', status: 404, reads: ['error'] },
  ]
}

function statsRows(): ClientRow[] {
  const days = ['date', 'play_count', 'total_duration', 'completed_count'].map((key) => `data.${key}`)
  const dashboard = [
    'now-playing',
    'top-users?limit=5&days=7',
    'top-media?limit=5&days=7',
    'storage',
    'activity?limit=5',
  ]
  return [
    {
      clients: 'mobile console',
      ask: 'GET /admin/stats/playback?from=-30%20days',
      as: 'admin',
      reads: days,
    },
    // No user has watched for long enough to be listed; statistics.routes.test.ts checks the keys of rows.
    { clients: 'mobile console', ask: 'GET /admin/stats/top-users?limit=5', as: 'admin', reads: ['data'] },
    { clients: 'mobile console', ask: 'GET /admin/stats/top-media?limit=5', as: 'admin', reads: ['data'] },
    { clients: 'mobile console', ask: 'GET /admin/stats/storage', as: 'admin', reads: ['data'] },
    { clients: 'mobile', ask: 'GET /admin/stats/playback', status: 403, reads: ['error'] },
    { clients: 'mobile', ask: 'GET /admin/stats/playback?from=never', as: 'admin', status: 400, reads: ['error'] },
    ...dashboard.map((path): ClientRow => ({
      clients: 'web mobile roku console',
      ask: `GET /admin/dashboard/${path}`,
      as: 'admin',
      reads: ['success', 'data'],
    })),
  ]
}
