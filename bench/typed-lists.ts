import { readFileSync } from 'node:fs'
import { sql } from 'slonik'
import type { Database } from '../src/core/platform/database/index.ts'
import { logIn } from './clients.ts'
import { whileServingFilled } from './new-server.ts'
import type { Figure } from './run.ts'
import { median, startServer, stop } from './start.ts'

const LISTS = {
  films: '/api/v1/media?type=movie',
  albums: '/api/v1/music/albums?',
  artists: '/api/v1/music/artists?',
  tracks: '/api/v1/music/tracks?',
  books: '/api/v1/books?',
  audiobooks: '/api/v1/audiobooks?',
  photos: '/api/v1/photo/photos?',
}
const PAGES = 20
const REQUESTS = 2000
const CLIENTS = 20
const ROUNDS = 3
/** USER_HZ, the unit of processor time in /proc. */
const TICKS_PER_SECOND = 100

/** The reference: a server that only sends a stored text. */
const BARE_FASTIFY = `
import fastify from 'fastify'
const app = fastify()
const texts = new Map()
app.get('/readyz', async () => ({ ok: true }))
app.post('/text', async (request) => void texts.set(request.body.list, request.body.text))
app.get('/text/:list', (request, reply) => reply.type('application/json').send(texts.get(request.params.list)))
await app.listen({ host: '127.0.0.1', port: Number(process.argv[1]) })
`

/** Processor time of the daemon for a page of 50 of each typed list, against a bare Fastify that sends the same text. */
export async function benchTypedLists(): Promise<Figure[]> {
  const bare = await startServer((port) => [
    process.execPath,
    ['--input-type=module', '-e', BARE_FASTIFY, String(port)],
  ])
  try {
    return await whileServingFilled({ name: 'lists', isAdmin: true, fill }, ({ child, port }) =>
      measure({ pid: Number(child.pid), port }, { pid: Number(bare.child.pid), port: bare.port }),
    )
  } finally {
    await stop(bare.child)
  }
}

type Server = { pid: number; port: number }

async function measure(ours: Server, bare: Server): Promise<Figure[]> {
  const api = await logIn(`http://127.0.0.1:${ours.port}`)
  const figures: Figure[] = []
  for (const [list, path] of Object.entries(LISTS)) {
    const text = JSON.stringify(await api('GET', `${path}&limit=50`))
    await post(`http://127.0.0.1:${bare.port}/text`, { list, text })
    const ask = (index: number): Promise<unknown> => api('GET', `${path}&limit=50&offset=${(index % PAGES) * 50}`)
    const askBare = (): Promise<unknown> =>
      fetch(`http://127.0.0.1:${bare.port}/text/${list}`).then((answer) => answer.json())
    const times = { ours: [] as number[], peer: [] as number[] }
    for (let round = 0; round <= ROUNDS; round++) {
      const [one, other] = [await millisecondsEach(ours.pid, ask), await millisecondsEach(bare.pid, askBare)]
      // The first round is not counted.
      if (round > 0) times.ours.push(one)
      if (round > 0) times.peer.push(other)
    }
    const name = `processor time, page of 50 ${list}`
    figures.push({ name, ours: median(times.ours), peer: median(times.peer), unit: 'ms', peerName: 'bare Fastify' })
  }
  return figures
}

/** Processor time of a process for one of many requests. */
async function millisecondsEach(pid: number, ask: (index: number) => Promise<unknown>): Promise<number> {
  const before = processorSeconds(pid)
  let next = 0
  const client = async (): Promise<void> => {
    while (next < REQUESTS) await ask((next += 1))
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return ((processorSeconds(pid) - before) * 1000) / REQUESTS
}

/** proc(5): `utime` and `stime` are the 12th and 13th after the name in parentheses. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function post(url: string, body: object): Promise<void> {
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

/** 1,000 films, books, audiobooks and photos, and 1,000 albums of 100 artists with ten tracks each. */
async function fill(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    insert into libraries (name, type, created_at, updated_at) values ('All', 'movie', now(), now())`)
  await db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns, metadata,
      duration_seconds, added_at, created_at, updated_at)
    select l.id, t, title, title, '/media/' || title, sha256(title::bytea), sha256('/media'), 1000, 1,
      jsonb_build_object('author', 'Author ' || n % 50, 'narrator', 'Narrator ' || n % 20, 'overview', repeat('Words. ', 40)), 3600,
      now(), now(), now()
    from libraries l, unnest(array['movie', 'book', 'audiobook', 'image', 'audio']) t,
      generate_series(1, case t when 'audio' then 10000 else 1000 end) n, concat(t, ' ', lpad(n::text, 5, '0')) title`)
  await db.query(sql.unsafe`
    insert into photos (media_item_id, library_id, width, height, orientation, taken_at, taken_local, time_source, is_listed)
    select i.id, i.library_id, 4000, 3000, 1, 1700000000 + n * 3600, timestamp '2023-11-14 22:13:20' + n * interval '1 hour', 'original', true
    from (select *, row_number() over (order by name) as n from media_items where type = 'image') i`)
  await db.query(sql.unsafe`
    insert into music_artists (library_id, name, sort_name) select l.id, artist, artist
    from libraries l, generate_series(0, 99) n, concat('Artist ', lpad(n::text, 3, '0')) artist`)
  await db.query(sql.unsafe`
    insert into music_albums (artist_id, title, sort_title) select r.id, title, title
    from music_artists r, generate_series(0, 9) n, concat('Album ', right(r.name, 3), n) title`)
  await db.query(sql.unsafe`
    insert into music_tracks (media_item_id, artist_id, album_id, artist, disc_number, track_number, is_in_disc_folder)
    select i.id, a.artist_id, a.id, 'Artist', 1, 1 + i.n / 1000, false
    from (select id, row_number() over (order by name) - 1 as n from media_items where type = 'audio') i
    join (select id, artist_id, row_number() over (order by title) - 1 as n from music_albums) a on a.n = i.n % 1000`)
  await db.query(sql.unsafe`analyze`)
}
