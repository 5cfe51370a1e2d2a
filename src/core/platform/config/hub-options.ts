import { integer, matching, origin, text } from './option-kinds.ts'

const HUB_DATABASE = [/^[A-Za-z_][\w-]{0,62}$/, 'must be the name of a database'] as const

/** The options of a hub, and of a media server that is paired with one. */
export const hubOptions = {
  'hub.url': origin({
    env: ['PHLIX_HUB_URL'],
    doc: 'Origin of the hub that `phlix hub:pair` asks without `--hub`, for example `https://hub.example.org`.',
  }),
  'hub.heartbeat_seconds': integer(
    60,
    { min: 30, max: 3600 },
    { env: ['PHLIX_HUB_HEARTBEAT_SECONDS'], doc: 'Interval of the reports of a paired server to its hub.' },
  ),
  'hub.host': text('0.0.0.0', { env: ['PHLIX_HUB_HOST'], doc: 'Address that `phlix hub:serve` listens on.' }),
  'hub.port': integer(
    8800,
    { min: 0, max: 65_535 },
    { env: ['PHLIX_HUB_PORT'], doc: 'Port of `phlix hub:serve`; 0 selects a free port.' },
  ),
  'hub.public_url': origin({
    env: ['PHLIX_HUB_PUBLIC_URL'],
    doc: 'Origin of this hub for home servers and browsers. Unset: the host that each request names, which is only safe on a network of your own.',
  }),
  'hub.database': matching('phlix_hub', HUB_DATABASE, {
    env: ['PHLIX_HUB_DATABASE'],
    doc: 'Database of `phlix hub:serve` on the PostgreSQL server of `database.host`. It must exist, and not be that of a media server.',
  }),
} as const
