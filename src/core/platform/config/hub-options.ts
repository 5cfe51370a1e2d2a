import { integerOption, patternOption, originOption, textOption } from './option-kinds.ts'

const HUB_DATABASE = [/^[A-Za-z_][\w-]{0,62}$/, 'must be the name of a database'] as const

/** The options of a hub, and of a media server that is paired with one. */
export const hubOptions = {
  'hub.url': originOption({
    env: ['PHLIX_HUB_URL'],
    doc: 'Origin of the hub that `phlix hub:pair` asks without `--hub`, for example `https://hub.example.org`.',
  }),
  'hub.heartbeat_seconds': integerOption(
    60,
    { min: 30, max: 3600 },
    { env: ['PHLIX_HUB_HEARTBEAT_SECONDS'], doc: 'Interval of the reports of a paired server to its hub.' },
  ),
  'hub.host': textOption('0.0.0.0', { env: ['PHLIX_HUB_HOST'], doc: 'Address that `phlix hub:serve` listens on.' }),
  'hub.port': integerOption(
    8800,
    { min: 0, max: 65_535 },
    { env: ['PHLIX_HUB_PORT'], doc: 'Port of `phlix hub:serve`; 0 selects a free port.' },
  ),
  'hub.tunnel_port': integerOption(
    8802,
    { min: 0, max: 65_535 },
    {
      env: ['PHLIX_HUB_TUNNEL_PORT'],
      doc: 'Port of `phlix hub:serve` for the tunnels of home servers; 0 selects a free port.',
    },
  ),
  'hub.peer_host': textOption('127.0.0.1', {
    env: ['PHLIX_HUB_PEER_HOST'],
    doc: 'Address of this machine that `hub.peer_port` listens on, and at which the other processes of the hub reach it.',
  }),
  'hub.peer_port': integerOption(
    0,
    { min: 0, max: 65_535 },
    {
      env: ['PHLIX_HUB_PEER_PORT'],
      doc: 'Port of `phlix hub:serve` for the other processes of the same hub; 0: there are none.',
    },
  ),
  'hub.streams_per_user': integerOption(
    16,
    { min: 1, max: 1000 },
    {
      env: ['PHLIX_HUB_STREAMS_PER_USER'],
      doc: 'Requests of one user that the relay forwards at the same time. Further ones wait for up to 20 seconds.',
    },
  ),
  'hub.user_bytes_per_second': integerOption(
    0,
    { min: 0, max: 10_000_000_000 },
    {
      env: ['PHLIX_HUB_USER_BYTES_PER_SECOND'],
      doc: 'Most bytes a second that the relay sends to one user, over all streams; 0: no limit.',
    },
  ),
  'hub.public_url': originOption({
    env: ['PHLIX_HUB_PUBLIC_URL'],
    doc: 'Origin of this hub for home servers and browsers. Unset: the host that each request names, which is only safe on a network of your own.',
  }),
  'hub.database': patternOption('phlix_hub', HUB_DATABASE, {
    env: ['PHLIX_HUB_DATABASE'],
    doc: 'Database of `phlix hub:serve` on the PostgreSQL server of `database.host`. It must exist, and not be that of a media server.',
  }),
} as const
