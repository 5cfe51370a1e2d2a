/** A request of a flood. */
export type Ask = { method: string; path: string; body?: string | Uint8Array; contentType?: string }

/** `ask` returns request number `n`, counted from 1. */
export type FloodKind = { name: string; ask: (n: number) => Ask }

/** Ids that exist before the flood, and a large picture. */
export type Target = {
  libraryId: string
  itemIds: readonly string[]
  sessionId: string
  /** Filled with all items of the library. */
  smartCollectionId: string
  picture: Buffer
}

const json = (method: string, path: string, body: object): Ask => ({ method, path, body: JSON.stringify(body) })

/** About 0.85 MB of rules, more than a smart playlist may have. */
const HUGE_RULES = rulesOf(1000, 800)

/** Nearly as many bytes of rules as a smart playlist may have. */
const LARGE_RULES = rulesOf(60, 900)

/** Nearly as many objects as a body may have, each with another key, for which V8 stores a separate hidden class. */
const DIFFERENT_KEYS = JSON.stringify(Array.from({ length: 6600 }, (_, n) => ({ [n.toString(36)]: 0 })))

/** Rules that are expensive to evaluate for each item. */
const SLOW_RULES = {
  logic: 'not',
  rules: [
    {
      logic: 'or',
      rules: Array.from({ length: 900 }, (_, n) => ({ field: 'actor', op: 'contains', value: `%z${n}` })),
    },
  ],
}

function rulesOf(count: number, characters: number) {
  const rule = (n: number) => ({ field: 'title', op: 'contains', value: `${n}`.padEnd(characters, 'x') })
  return { logic: 'or', rules: Array.from({ length: count }, (_, n) => rule(n)) }
}

/**
 * The kinds of requests of one plain user, in the order in which they are sent: lists follow the kinds that create their content.
 * `made` returns the id of the newest collection or smart playlist of that user.
 */
export function floodKinds(target: Target, made: { collection: () => string; smart: () => string }): FloodKind[] {
  const { libraryId, itemIds, sessionId, smartCollectionId, picture } = target
  const [noPicture, largePicture] = [formOf(Buffer.from('\u0089PNG'.repeat(150_000))), formOf(picture)]
  const item = (n: number): string => itemIds[n % itemIds.length] ?? ''
  const smart = (n: number, rules: object) => ({
    name: `Smart ${n}`,
    library_id: libraryId,
    rules_json: rules,
    limit: 0,
  })
  const get = (name: string, path: (n: number) => string): FloodKind => ({
    name,
    ask: (n) => ({ method: 'GET', path: path(n) }),
  })
  return [
    { name: 'smart playlists of 0.85 MB', ask: (n) => json('POST', '/smart-playlists', smart(n, HUGE_RULES)) },
    { name: 'smart playlists of 60 kB', ask: (n) => json('POST', '/smart-playlists', smart(n, LARGE_RULES)) },
    get('list of smart playlists', () => '/smart-playlists?limit=100'),
    {
      name: 'change of a smart playlist',
      ask: (n) => json('PUT', `/smart-playlists/${made.smart()}`, { rules_json: LARGE_RULES, name: `n${n}` }),
    },
    {
      name: 'preview by slow rules',
      ask: () => json('POST', `/smart-playlists/${made.smart()}/preview`, { rules_json: SLOW_RULES, limit: 0 }),
    },
    {
      name: 'preview in random order',
      ask: () =>
        json('POST', `/smart-playlists/${made.smart()}/preview`, {
          rules_json: { logic: 'and', rules: [] },
          limit: 0,
          sort_by: 'random',
        }),
    },
    { name: 'collections', ask: (n) => json('POST', '/collections', { name: `Mine ${n}`, library_id: libraryId }) },
    { name: 'playlists', ask: (n) => json('POST', '/playlists', { name: `List ${n}`, media_id: item(n) }) },
    {
      name: 'smart collections',
      ask: (n) =>
        json('POST', '/collections', { name: `S ${n}`, library_id: libraryId, smart_playlist_id: made.smart() }),
    },
    {
      name: '5,000 items into a collection',
      ask: () => json('POST', `/collections/${made.collection()}/bulk-add`, { media_item_ids: itemIds.slice(0, 5000) }),
    },
    {
      name: 'a search into a collection',
      ask: () => json('POST', `/collections/${made.collection()}/bulk-add`, { query: 'ba' }),
    },
    {
      name: 'order of a collection',
      ask: (n) => json('PUT', `/collections/${made.collection()}`, { media_item_ids: itemIds.slice(n % 100, 2000) }),
    },
    get('list of collections', () => '/collections?limit=1000'),
    get('a collection of 1,000', () => `/collections/${made.collection()}?limit=1000`),
    {
      name: 'refresh of a collection',
      ask: () => ({ method: 'POST', path: `/collections/${smartCollectionId}/refresh` }),
    },
    {
      name: 'media requests',
      ask: (n) =>
        json('POST', '/me/requests', {
          type: 'movie',
          catalog_id: n + 1,
          title: 't'.repeat(500),
          poster_url: `https://x.test/${'p'.repeat(2000)}`,
        }),
    },
    get('list of media requests', () => '/me/requests'),
    { name: 'favourites', ask: (n) => ({ method: 'POST', path: `/media/${item(n)}/favorite` }) },
    get('list of favourites', (n) => `/users/me/favorites?limit=100&offset=${n % 10}`),
    { name: 'ratings', ask: (n) => json('PUT', `/media/${item(n)}/rating`, { rating: 5 }) },
    {
      name: 'watched marks of series',
      ask: (n) => ({ method: 'POST', path: `/media/${item(n)}/${n % 2 === 0 ? 'watched' : 'unwatched'}` }),
    },
    {
      name: 'progress',
      ask: (n) =>
        json('POST', `/sessions/${sessionId}/progress`, {
          media_item_id: item(n),
          position_ticks: 1e10,
          duration_ticks: 1.01e10,
        }),
    },
    {
      name: 'playback sessions',
      ask: (n) => json('POST', '/sessions', { device_id: `d${n}`, device_name: 'x'.repeat(255) }),
    },
    get('history', (n) => `/me/history?limit=100&offset=${n % 50}`),
    get('continue watching', () => '/me/continue-watching?limit=50'),
    get('next up', () => '/users/me/next-up?limit=50'),
    get('recommendations', () => '/me/recommendations?limit=50'),
    get('similar items', (n) => `/media/${item(n)}/similar?limit=50`),
    { name: 'shuffle', ask: (n) => json('POST', '/shuffle', { media_id: item(n) }) },
    { name: 'settings of 30 kB', ask: (n) => json('PUT', '/users/me/settings', { [`k${n % 3}`]: 'x'.repeat(30_000) }) },
    {
      name: 'bodies of 1 MB',
      ask: () =>
        json('PUT', '/me/settings', {
          deep: JSON.parse('['.repeat(500) + ']'.repeat(500)) as object,
          long: Array.from({ length: 18_000 }, () => 0),
          x: 'y'.repeat(600_000),
        }),
    },
    {
      name: 'bodies of 1 MB with few values',
      ask: (n) => json('POST', '/shuffle', { media_id: item(n), [`x${n}`]: 'y'.repeat(1_000_000) }),
    },
    {
      name: 'bodies of nested lists',
      ask: () => ({ method: 'PUT', path: '/me/settings', body: `${'['.repeat(500_000)}${']'.repeat(500_000)}` }),
    },
    {
      name: 'bodies of 24,900 objects',
      ask: () => ({ method: 'PUT', path: '/me/settings', body: `[${'{     },'.repeat(24_900)}{}]` }),
    },
    {
      name: 'bodies of objects with a key each',
      ask: () => ({
        method: 'PUT',
        path: '/me/settings',
        body: `{"x":"${'y'.repeat(100_000)}","list":${DIFFERENT_KEYS}}`,
      }),
    },
    {
      name: 'rules as text of brackets',
      ask: () => json('POST', `/smart-playlists/${made.smart()}/preview`, { rules_json: '['.repeat(500_000) }),
    },
    {
      name: 'rules as text of 190,000 brackets',
      ask: () => json('POST', `/smart-playlists/${made.smart()}/preview`, { rules_json: '['.repeat(190_000) }),
    },
    {
      name: 'bodies for addresses without a route',
      ask: (n) => ({ method: 'PUT', path: `/no/${n}`, body: `"${'y'.repeat(1_000_000)}"` }),
    },
    {
      name: 'bodies that are no JSON',
      ask: () => ({ method: 'PUT', path: '/me/settings', body: `{"a":${'['.repeat(900_000)}` }),
    },
    get('pages far down', (n) => `/media?sort=rating&limit=100&offset=${15_000 + n}`),
    get('random order', (n) => `/media?sort=random&limit=100&offset=${n}`),
    get('new words', (n) => `/media?search=ba${n.toString(36)}fi&limit=100`),
    get(
      'hundreds of filters',
      (n) => `/media?${Array.from({ length: 200 }, (_, f) => `genres[]=g${n}-${f}&actors[]=a${f}`).join('&')}`,
    ),
    get('facets', () => `/media/facets?libraryId=${libraryId}`),
    get('letter index by filters', (n) => `/media/letter-index?minRating=${n % 10}&actors[]=Actor ${n}`),
    get('pieces of a list', (n) => `/media/index?field=year&minRating=${(n % 90) / 10}`),
    get('details', (n) => `/media/${item(n)}`),
    get('playback info', (n) => `/media/${item(n)}/playback-info`),
    { name: 'transcodes', ask: (n) => ({ method: 'POST', path: `/media/${item(n)}/transcode` }) },
    get(
      'lists of music and books',
      (n) => `/${['music/tracks', 'music/albums', 'books', 'audiobooks', 'photo/photos'][n % 5]}?limit=100&offset=${n}`,
    ),
    { name: 'avatars that are no pictures', ask: () => avatar(noPicture) },
    { name: 'avatars of 24 megapixels', ask: () => avatar(largePicture) },
    get('exports of the account', () => '/users/me/export'),
    {
      name: 'share links with a password',
      ask: (n) => json('POST', '/me/shares', { item_id: item(n), password: `correct horse ${n}` }),
    },
    { name: 'profiles with a PIN', ask: (n) => json('POST', '/profiles', { name: `Kid ${n}`, pin: '1234' }) },
    {
      name: 'downloads of a quality',
      ask: (n) => ({ method: 'POST', path: `/media/${item(n)}/download?quality=480p` }),
    },
    get('addresses that do not exist', (n) => `/${'x'.repeat(1000)}/${n}`),
  ]
}

/** A form with a file. */
function formOf(file: Buffer): Buffer {
  const head = `--x\r\ncontent-disposition: form-data; name="avatar"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
  return Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--x--\r\n')])
}

function avatar(form: Buffer): Ask {
  return { method: 'POST', path: '/users/me/avatar', body: form, contentType: 'multipart/form-data; boundary=x' }
}
