import { CONSOLE, MOBILE, ROKU, ROW, WEB, type ClientRow } from './client-row.ts'
import type { Filled } from './filled-server.ts'
import { organisingRows } from './organising-rows.ts'
import { otherMediaRows } from './other-media-rows.ts'
import { playbackRows } from './playback-rows.ts'

function listRows({ libraryId, series }: Filled): ClientRow[] {
  return [
    {
      clients: 'web',
      ask: `GET /media?libraryId=${libraryId}&topLevel=1&genres%5B%5D=Drama&sort=name&order=asc&limit=50&offset=0`,
      headers: WEB,
      reads: [...ROW, 'total'],
    },
    {
      clients: 'console',
      ask: `GET /media?libraryId=${libraryId}&genres[0]=Drama&sort=date_added&order=desc`,
      headers: CONSOLE,
      reads: [...ROW, 'total', 'limit', 'offset'],
    },
    {
      clients: 'mobile',
      ask: 'GET /media?genres[]=Drama&types[]=movie&search=',
      headers: MOBILE,
      reads: [...ROW, 'total', 'limit', 'offset'],
    },
    {
      clients: 'roku',
      ask: `GET /media?parentId=${series}&limit=100`,
      headers: ROKU,
      reads: [...ROW, 'items.season_number', 'items.parent_id'],
    },
    { clients: 'web', ask: 'GET /media?match=matched&sort=rating&minRating=PG', headers: WEB, reads: ['total'] },
    { clients: 'web console roku', ask: `GET /media/facets?libraryId=${libraryId}`, reads: ['genres'] },
    {
      clients: 'web console mobile roku',
      ask: `GET /media/letter-index?libraryId=${libraryId}&topLevel=1`,
      reads: ['letters.letter', 'letters.offset', 'letters.count', 'total'],
    },
    {
      clients: 'web',
      ask: `GET /media/index?field=date_added&order=desc&libraryId=${libraryId}&topLevel=1`,
      reads: ['buckets.key', 'buckets.label', 'buckets.offset', 'buckets.count', 'field', 'total'],
    },
    { clients: 'web', ask: 'GET /media/search?q=alpha', reads: [...ROW, 'query', 'total'] },
    { clients: 'web console', ask: 'GET /media/most-watched?limit=20&offset=0', reads: [...ROW, 'total'] },
    { clients: 'web', ask: 'GET /media/search?q=', status: 400, reads: ['error'] },
  ]
}

function itemRows({ film, series, episode }: Filled): ClientRow[] {
  const marks = ['favorite', 'watched', 'unwatched'].map((word): ClientRow => ({
    clients: 'web',
    ask: `POST /media/${film}/${word}`,
    headers: WEB,
    reads: ['message'],
  }))
  return [
    ...['web', 'console', 'mobile', 'roku'].map((clients): ClientRow => ({
      clients,
      ask: `GET /media/${film}`,
      reads: [
        'item.id',
        'item.type',
        'item.stream_url',
        'item.streams',
        'item.cast',
        'item.user_data.watched',
        'item.path',
      ],
    })),
    {
      clients: 'web console',
      ask: `GET /media/${film}/similar`,
      reads: ['items.id', 'items.title', 'items.posterUrl', 'items.score', 'items.reason'],
    },
    ...marks,
    { clients: 'web', ask: `DELETE /media/${film}/favorite`, headers: WEB, reads: ['message'] },
    { clients: 'roku', ask: `POST /media/${film}/watched`, headers: ROKU, reads: ['message'] },
    { clients: 'web mobile roku', ask: `PUT /media/${film}/rating`, body: { rating: 8 }, reads: ['message'] },
    { clients: 'web', ask: `DELETE /media/${film}/rating`, headers: WEB, reads: ['message'] },
    { clients: 'web console', ask: `PUT /media/${film}/like`, body: { level: 2 }, reads: ['message'] },
    { clients: 'roku', ask: `PUT /media/${film}/like`, headers: ROKU, status: 400, reads: ['error'] },
    { clients: 'web console mobile', ask: `POST /media/${film}/ratings`, body: { score: 8 }, reads: [] },
    { clients: 'web', ask: `GET /media/${film}/download`, reads: ['url'] },
    {
      clients: 'web',
      ask: `GET /media/${series}/missing-episodes`,
      reads: ['total_expected', 'total_existing', 'missing_episodes'],
    },
    {
      clients: 'web console',
      ask: 'POST /shuffle',
      body: { media_id: series },
      reads: ['shuffled_ids', 'mode', 'message'],
    },
    {
      clients: 'web',
      ask: `GET /media/${episode}`,
      reads: ['item.season_number', 'item.episode_number', 'item.parent_id'],
    },
    {
      clients: 'web',
      as: 'admin',
      ask: `GET /media/${film}/match/search?query=Alpha`,
      status: 422,
      reads: ['error', 'code'],
    },
    {
      clients: 'web',
      as: 'admin',
      ask: `POST /media/${film}/match/apply`,
      body: { tmdb_id: 'x' },
      status: 400,
      reads: ['error', 'code'],
    },
    {
      clients: 'web',
      as: 'admin',
      ask: `POST /media/${film}/match/apply`,
      body: { tmdb_id: '603' },
      status: 422,
      reads: ['error', 'code'],
    },
  ]
}

/** The browsing and playback requests of the five clients, in an executable order. */
export function clientRows(filled: Filled): ClientRow[] {
  return [
    ...listRows(filled),
    ...itemRows(filled),
    ...otherMediaRows(filled),
    ...playbackRows(filled),
    ...organisingRows(filled),
  ]
}
