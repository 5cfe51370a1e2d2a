import { acquirerOptions } from './acquirer-options.ts'
import {
  addressRangesOption,
  booleanOption,
  choiceOption,
  integerOption,
  ipv4AddressOption,
  patternOption,
  originOption,
  pageOriginsOption,
  sharedSecretOption,
  textOption,
  webAddressOption,
  type IntegerOption,
  type Option,
} from './option-kinds.ts'
import { hubOptions } from './hub-options.ts'
import { METADATA_OPTIONS } from './metadata-options.ts'
import { PLUGIN_AND_UPDATE_OPTIONS } from './plugin-and-update-options.ts'
import { SCROBBLING_OPTIONS } from './scrobbling-options.ts'
import { RATE_LIMIT_SURFACES, type RateLimit, type RateLimitSurface } from './rate-limit-surfaces.ts'
import { singleSignOnOptions } from './single-sign-on-options.ts'

/** The eight severities of syslog (RFC 5424), least severe first. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

const S3_REGION = [/^[a-z0-9-]{1,64}$/, 'must be a region, as eu-central-1'] as const
const S3_BUCKET = [
  /^(?:[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/,
  'must be 3 to 63 lower-case letters, digits, dots and dashes',
] as const
const S3_PREFIX = [
  /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\/){0,8}(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,99})?$/,
  'must be letters, digits, dots, dashes and underscores, with single slashes between them',
] as const
const S3_ACCESS_KEY = [/^[!-~]{0,128}$/, 'must be at most 128 characters without spaces'] as const

const MEBIBYTE = 1024 * 1024
const WEEK_SECONDS = 604_800

type RateLimitPath = `server.rate_limit.${RateLimitSurface}.${'max' | 'window'}`

/** Two options for each rate limit: the number of calls and the window. */
function rateLimitOptions(): Record<RateLimitPath, IntegerOption> {
  const rows = (Object.entries(RATE_LIMIT_SURFACES) as [RateLimitSurface, RateLimit][]).flatMap(([surface, limit]) => {
    const caller = limit.isPerSession === true ? 'session or API key' : 'client address'
    const name = `RATE_LIMIT_${surface.toUpperCase()}`
    const where = limit.scope === 'shared' ? 'over all processes' : 'for each process'
    return [
      [
        `server.rate_limit.${surface}.max`,
        integerOption(
          limit.max,
          { min: 1, max: 1_000_000 },
          { env: [`${name}_MAX`], doc: `Limit of ${limit.counts} per ${caller} and window, ${where}.` },
        ),
      ],
      [
        `server.rate_limit.${surface}.window`,
        integerOption(
          limit.windowSeconds,
          { min: 1, max: WEEK_SECONDS },
          { env: [`${name}_WINDOW`], doc: 'Length of the window in seconds.' },
        ),
      ],
    ] as const
  })
  return Object.fromEntries(rows) as Record<RateLimitPath, IntegerOption>
}

/**
 * The table of all options. One row per option: its path in config.toml, type, default, environment names, whether it is secret, and the
 * sentence that is printed in docs/configuration.md. `server.port` has no environment name.
 */
export const OPTIONS = {
  'server.host': textOption('0.0.0.0', { env: ['PHLIX_SERVER_HOST'], doc: 'Address that the HTTP server listens on.' }),
  'server.port': integerOption(
    8096,
    { min: 0, max: 65_535 },
    { doc: 'Port of the HTTP server; 0 selects a free port.' },
  ),
  'server.websocket_port': integerOption(
    8097,
    { min: 0, max: 65_535 },
    { doc: 'Port for WebSockets, on the same address; 0 selects any free port.' },
  ),
  'server.public_url': originOption({
    env: ['PHLIX_PUBLIC_URL'],
    doc: 'Address of this server for browsers, for example `https://media.example.org`. Passkeys are valid for its host.',
  }),
  'server.cors_origins': pageOriginsOption({
    env: ['PHLIX_CORS_ORIGINS'],
    doc: 'Origins of pages on other hosts that may use the API in a browser, separated by commas, for example `https://player.example.org`. Empty: none. WebSockets can be used by pages of this server only.',
  }),
  'server.trusted_proxies': addressRangesOption('127.0.0.0/8,::1', {
    env: ['TRUSTED_PROXIES'],
    doc: 'IP addresses and CIDR ranges, separated by commas, of the proxies whose `X-Forwarded-For` is trusted. Empty in the file: none.',
  }),
  ...rateLimitOptions(),
  'database.host': textOption(undefined, {
    env: ['DB_HOST'],
    doc: 'PostgreSQL server to use. Unset: an embedded PostgreSQL in the data directory.',
  }),
  'database.port': integerOption(
    5432,
    { min: 1, max: 65_535 },
    { env: ['DB_PORT'], doc: 'Port of the PostgreSQL server.' },
  ),
  'database.name': textOption('phlix', { env: ['DB_DATABASE', 'DB_NAME'], doc: 'Database name.' }),
  'database.user': textOption('phlix', { env: ['DB_USER', 'DB_USERNAME'], doc: 'Database role.' }),
  'database.password': textOption('', { env: ['DB_PASSWORD'], secret: true, doc: 'Password of the database role.' }),
  'database.pool_enabled': booleanOption(true, {
    env: ['DB_POOL_ENABLED'],
    doc: 'Off: one connection at a time instead of a pool.',
  }),
  'database.pool_size': integerOption(
    8,
    { min: 1, max: 200 },
    {
      env: ['DB_POOL_SIZE'],
      doc: 'Maximum number of connections of one process, and of those that all accounts with limits use beside them.',
    },
  ),
  'database.run_migrations': booleanOption(true, {
    env: ['PHLIX_RUN_MIGRATIONS'],
    doc: '`serve` applies pending migrations before it listens.',
  }),
  'backups.interval_days': integerOption(
    7,
    { min: 0, max: 365 },
    { doc: 'Days between the backups that a server makes by itself, into `backups/` of the data directory; 0: none.' },
  ),
  'backups.retention': integerOption(
    5,
    { min: 1, max: 1000 },
    {
      doc: 'Number of backups that are kept in `backups/`, and of uploads of this server that are kept in the bucket. A server removes older ones after each backup that it makes.',
    },
  ),
  'backups.before_migrations': booleanOption(true, {
    env: ['PHLIX_BACKUP_BEFORE_MIGRATIONS'],
    doc: 'A backup is made before migrations change the schema of a database with accounts or libraries.',
  }),
  'backups.passphrase_file': textOption(undefined, {
    env: ['PHLIX_BACKUP_PASSPHRASE_FILE'],
    doc: 'File with a passphrase; its last newline is ignored. Backups are encrypted with it in the format age. Unset: backups are not encrypted.',
  }),
  'backups.s3.endpoint': webAddressOption('https://s3.amazonaws.com', {
    env: ['PHLIX_S3_ENDPOINT'],
    doc: 'Address of a server with the protocol of Amazon S3. The bucket is addressed by its path.',
  }),
  'backups.s3.region': patternOption('us-east-1', S3_REGION, {
    env: ['PHLIX_S3_REGION'],
    doc: 'Region of the bucket, for signatures; `auto` for Cloudflare R2.',
  }),
  'backups.s3.bucket': patternOption('', S3_BUCKET, {
    env: ['PHLIX_S3_BUCKET'],
    doc: 'Name of an existing bucket. Backups of the server are uploaded to it. Empty: backups are not uploaded.',
  }),
  'backups.s3.prefix': patternOption('', S3_PREFIX, {
    env: ['PHLIX_S3_PREFIX'],
    doc: 'Beginning of the names in the bucket, for example `phlix/`. Each server needs its own.',
  }),
  'backups.s3.access_key_id': patternOption('', S3_ACCESS_KEY, {
    env: ['PHLIX_S3_ACCESS_KEY_ID'],
    doc: 'Access key of an account that may list the bucket, and read, write and delete in it.',
  }),
  'backups.s3.secret_access_key': textOption(undefined, {
    env: ['PHLIX_S3_SECRET_ACCESS_KEY'],
    secret: true,
    doc: 'Secret that belongs to the access key.',
  }),
  'auth.key_file': textOption(undefined, {
    env: ['PHLIX_KEY_FILE'],
    doc: 'File with the server’s Ed25519 key, in the format of Phlix or PKCS#8. Unset: `keys/server-key`, created at the first start.',
  }),
  'auth.jwt_secret': textOption(undefined, {
    env: ['JWT_SECRET'],
    secret: true,
    doc: 'Secret that signs tokens and media addresses; at least 32 bytes in production. Unset outside production: created once and stored in `keys/`.',
  }),
  ...singleSignOnOptions,
  'accounts.registration': choiceOption('local', ['open', 'local', 'invite', 'closed'], {
    doc: 'Who may register: any caller, callers in private networks, callers with an invite (`phlix invite:create`), or no caller. An invite permits a registration in every mode except `closed`.',
  }),
  'accounts.approval': booleanOption(false, {
    doc: 'New accounts wait for the approval of an administrator; the first account does not.',
  }),
  'accounts.approval_beside_limits': booleanOption(true, {
    doc: 'While an account has limits, new accounts wait for an administrator unless they were invited: somebody with limits could otherwise register again without them.',
  }),
  'requests.allow_whole_series': booleanOption(false, {
    doc: 'Users may request a whole series or season instead of single episodes.',
  }),
  ...acquirerOptions('radarr', 'Radarr'),
  ...acquirerOptions('sonarr', 'Sonarr'),
  'acquisition.webhook_secret': sharedSecretOption(16, {
    env: ['PHLIX_ACQUISITION_WEBHOOK_SECRET'],
    doc: 'Secret with which Radarr and Sonarr authenticate their webhooks; at least 16 characters. Unset: webhooks are refused.',
  }),
  'acquisition.poll_seconds': integerOption(
    120,
    { min: 10, max: 86_400 },
    { doc: 'Interval at which Radarr and Sonarr are asked whether approved requests have been downloaded.' },
  ),
  'acquisition.timeout_seconds': integerOption(
    30,
    { min: 1, max: 120 },
    { doc: 'Time limit for Radarr or Sonarr to accept an approved request.' },
  ),
  'webhooks.allow_private': booleanOption(false, {
    env: ['WEBHOOKS_ALLOW_PRIVATE', 'PHLIX_WEBHOOKS_ALLOW_PRIVATE'],
    doc: 'Webhooks may use addresses of this machine and of private networks; never link-local and cloud metadata addresses.',
  }),
  'webhooks.timeout_seconds': integerOption(
    5,
    { min: 1, max: 60 },
    { doc: 'Total time limit of one delivery attempt to a webhook or a notification channel.' },
  ),
  'webhooks.max_retries': integerOption(
    2,
    { min: 0, max: 10 },
    {
      doc: 'Number of attempts after the first one: after 1 s, 2 s, 4 s and so on. After the last one the delivery has failed.',
    },
  ),
  'webhooks.parallel_dispatch': booleanOption(true, {
    doc: 'Off: deliveries to webhooks and notification channels are sent one after the other.',
  }),
  'network.forward_port': booleanOption(false, {
    env: ['PHLIX_FORWARD_PORT'],
    doc: 'The server asks the router to forward a port of the Internet to it, by NAT-PMP or UPnP, as long as it runs.',
  }),
  'network.external_port': integerOption(
    0,
    { min: 0, max: 65_535 },
    {
      env: ['PHLIX_EXTERNAL_PORT'],
      doc: 'The external port of the router; 0: the number of the forwarded port, or one of the next nine if the router has given it to another machine.',
    },
  ),
  'network.internal_port': integerOption(
    0,
    { min: 0, max: 65_535 },
    {
      env: ['PHLIX_INTERNAL_PORT'],
      doc: 'The port of this machine that is forwarded, for example that of a reverse proxy with TLS; 0: the port of the server.',
    },
  ),
  'network.protocol': choiceOption('auto', ['auto', 'nat-pmp', 'upnp'], {
    doc: 'Protocol for the router; `auto`: NAT-PMP if the router answers it, else UPnP.',
  }),
  'network.lease_seconds': integerOption(
    3600,
    { min: 60, max: 86_400 },
    { doc: 'Time after which the router ends the forwarding by itself; the server renews it after half of that time.' },
  ),
  'network.gateway': ipv4AddressOption({
    env: ['PHLIX_GATEWAY'],
    doc: 'IPv4 address of the router. Unset: the gateway of the default route.',
  }),
  ...hubOptions,
  'relay.enabled': booleanOption(true, {
    env: ['PHLIX_RELAY'],
    doc: 'A server that is paired with a hub keeps a tunnel to it, through which its users reach the server from anywhere.',
  }),
  'relay.tunnel_url': originOption({
    env: ['PHLIX_RELAY_TUNNEL_URL'],
    doc: 'Origin of the tunnels of the hub, for example `https://tunnels.example.org`. Unset: that of the hub; with port 8802 if the hub has no TLS.',
  }),
  ...PLUGIN_AND_UPDATE_OPTIONS,
  ...SCROBBLING_OPTIONS,
  'logging.level': choiceOption('info', LOG_LEVELS, { env: ['LOG_LEVEL'], doc: 'Lowest level that is written.' }),
  'logging.to_file': booleanOption(false, {
    env: ['PHLIX_LOG_TO_FILE'],
    doc: 'Also write `logs/phlix.log` in the data directory. The file is rotated; 30 files are kept.',
  }),
  'metrics.port': integerOption(
    0,
    { min: 0, max: 65_535 },
    { env: ['PHLIX_METRICS_PORT'], doc: 'Port of `/metrics` for Prometheus; 0: no metrics are served.' },
  ),
  'metrics.host': textOption('127.0.0.1', {
    env: ['PHLIX_METRICS_HOST'],
    doc: 'Address that the metrics are served on. Addresses other than loopback require `metrics.token`.',
  }),
  'metrics.token': sharedSecretOption(16, {
    env: ['PHLIX_METRICS_TOKEN'],
    doc: 'Bearer token that readers of the metrics send; at least 16 characters. Unset: none is needed.',
  }),
  ...METADATA_OPTIONS,
  'media.ffmpeg': textOption('ffmpeg', { env: ['PHLIX_FFMPEG'], doc: 'ffmpeg program: a name on PATH or a path.' }),
  'media.ffprobe': textOption('ffprobe', { env: ['PHLIX_FFPROBE'], doc: 'ffprobe program: a name on PATH or a path.' }),
  'media.heif_convert': textOption('heif-convert', {
    env: ['PHLIX_HEIF_CONVERT'],
    doc: 'heif-convert program: a name on PATH or a path (Debian: libheif-examples). It decodes HEIC photos; ffmpeg from version 7 on can do so too.',
  }),
  'artwork.mirror_origin': originOption({
    env: ['PHLIX_ARTWORK_MIRROR'],
    doc: 'Origin of a mirror of provider pictures, for example `http://nas:8080`. It may be in a private network.',
  }),
  'artwork.cache_bytes': integerOption(
    2048 * MEBIBYTE,
    { min: MEBIBYTE, max: Number.MAX_SAFE_INTEGER },
    {
      env: ['PHLIX_ARTWORK_CACHE_BYTES'],
      doc: 'Maximum size of the pictures in `cache/artwork`; the least recently used ones are removed first.',
    },
  ),
  'downloads.cache_bytes': integerOption(
    50 * 1024 * MEBIBYTE,
    { min: MEBIBYTE, max: Number.MAX_SAFE_INTEGER },
    {
      env: ['PHLIX_DOWNLOADS_CACHE_BYTES'],
      doc: 'Maximum size of the converted films in `cache/downloads`; the least recently used ones are removed first, and those that nobody has read for a week.',
    },
  ),
  'trickplay.cache_bytes': integerOption(
    20 * 1024 * MEBIBYTE,
    { min: MEBIBYTE, max: Number.MAX_SAFE_INTEGER },
    {
      env: ['PHLIX_TRICKPLAY_CACHE_BYTES'],
      doc: 'Maximum size of the pictures of time lines in `cache/trickplay`; the least recently used ones are removed first.',
    },
  ),
  'hls.loudness': booleanOption(false, {
    env: ['PHLIX_LOUDNESS'],
    doc: 'Adjusts encoded audio of films to -16 LUFS with peaks below -1.5 dBTP. A file is measured in the background when it is first watched.',
  }),
  'hls.tone_mapping': choiceOption('zscale', ['zscale', 'none'], {
    env: ['PHLIX_TONE_MAPPING'],
    doc: 'Conversion of films of high dynamic range for other screens: `zscale` maps their tones; `none` does not, which is faster but gives pale colours.',
  }),
  'hls.max_concurrent_transcodes': integerOption(
    4,
    { min: 1, max: 64 },
    { env: ['PHLIX_MAX_CONCURRENT_TRANSCODES'], doc: 'Maximum number of concurrent encoders.' },
  ),
  'hls.min_disk_space_bytes': integerOption(
    500 * MEBIBYTE,
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { env: ['HLS_MIN_DISK_SPACE_BYTES'], doc: 'Free disk space that is never used; below it segments answer 503.' },
  ),
  'hls.transcode_timeout_seconds': integerOption(
    7200,
    { min: 1, max: WEEK_SECONDS },
    { env: ['PHLIX_TRANSCODE_TIMEOUT'], doc: 'Time limit of one encoder.' },
  ),
} as const satisfies Record<string, Option>

export type OptionPath = keyof typeof OPTIONS

/** The value of every option by its path. */
export type OptionValues = { readonly [Path in OptionPath]: (typeof OPTIONS)[Path]['default'] }
