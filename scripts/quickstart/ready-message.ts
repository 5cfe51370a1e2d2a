import { networkInterfaces } from 'node:os'

export const ADMIN = 'admin'

export type Served = {
  host: string | undefined
  port: number
  /** Known only in the run that generated it. */
  password: string | undefined
  /** Type of the items that the lines list and play. */
  itemType: string
  /** The command that sets a new password. */
  resetCommand: string
  /** The command that sets a provider key for pictures of films and series; undefined if there is a key, or neither films nor series. */
  keyCommand: string | undefined
}

const EVERY_ADDRESS = new Set([undefined, '0.0.0.0', '::'])

/** The URL of the server for a browser on this machine. */
export function localAddress({ host, port }: Pick<Served, 'host' | 'port'>): string {
  if (EVERY_ADDRESS.has(host)) return `http://localhost:${port}`
  return `http://${host?.includes(':') === true ? `[${host}]` : host}:${port}`
}

/** The URL for other machines; undefined when it listens on one address, which is then the local URL. */
export function networkAddress({ host, port }: Pick<Served, 'host' | 'port'>): string | undefined {
  if (!EVERY_ADDRESS.has(host)) return undefined
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  return address === undefined ? undefined : `http://${address}:${port}`
}

/** Item types in the order in which users try them, with the type of their library. */
const SAMPLE_ITEM_TYPES: readonly [libraryType: string, itemType: string][] = [
  ['movie', 'movie'],
  ['series', 'episode'],
  ['video', 'video'],
  ['music', 'audio'],
  ['audiobook', 'audiobook'],
  ['photo', 'image'],
  ['book', 'book'],
]

/** @param libraryTypes types of the existing libraries */
export function sampleItemType(libraryTypes: readonly string[]): string {
  return SAMPLE_ITEM_TYPES.find(([libraryType]) => libraryTypes.includes(libraryType))?.[1] ?? 'movie'
}

const MATCHED = new Set(['movie', 'series', 'video'])

/** @param libraryTypes types of the existing libraries */
export function hasMatchable(libraryTypes: readonly string[]): boolean {
  return libraryTypes.some((type) => MATCHED.has(type))
}

/**
 * Three lines for a shell with curl: sign in, list names, play the first item. The second and third use variables that the first one sets.
 */
export function sampleCommands(served: Served): string[] {
  const address = localAddress(served)
  const password = served.password ?? `'"\${PHLIX_PASSWORD:?is the password of ${ADMIN}}"'`
  const get = `curl -s -H "Authorization: Bearer $TOKEN"`
  // The longest first, because unreadable files have no length and are listed last.
  const list = `${get} '${address}/api/v1/media?types=${served.itemType}&sort=runtime&order=desc&limit=5'`
  const firstId = `${list} | ${firstText('id')}`
  return [
    `TOKEN=$(curl -s '${address}/api/v1/auth/login' -H 'Content-Type: application/json' -d '{"username":"${ADMIN}","password":"${password}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `${list} | grep -o '"name":"[^"]*"'`,
    `curl -s -r 0-99 -o /dev/null -w '%{http_code}, %{size_download} bytes of %{content_type}; play it in mpv, VLC or a browser:\\n%{url_effective}\\n' "${address}$(${get} "${address}/api/v1/media/$(${firstId})" | ${firstText('stream_url')})"`,
  ]
}

/** Reads the first text with this key from JSON, with standard shell tools only. */
function firstText(name: string): string {
  return `grep -o '"${name}":"[^"]*"' | head -n 1 | cut -d '"' -f 4`
}

/** Printed as soon as the account is created, because a later step may fail. */
export function accountCreatedMessage(password: string): string {
  return `The account ${ADMIN} was created. Its password is ${password} (shown only in this run).\n`
}

/** Printed when the server is ready. */
export function readyMessage(served: Served): string {
  const network = networkAddress(served)
  const known = served.password !== undefined
  return [
    '',
    `Phlix is ready: ${localAddress(served)}${network === undefined ? '' : ` (in your network: ${network})`}`,
    known
      ? `Sign in as ${ADMIN} with the password ${served.password} (shown only in this run).`
      : `Sign in as ${ADMIN}. To reset a lost password: ${served.resetCommand}`,
    ...(served.keyCommand === undefined
      ? []
      : [`For posters and descriptions set a key of TMDB, then restart: ${served.keyCommand}`]),
    '',
    `Sample commands for another terminal${known ? '' : ' (set PHLIX_PASSWORD first)'}: sign in, list, play the first item`,
    '',
    ...sampleCommands(served),
    '',
    'Ctrl-C stops the server.',
    '',
  ].join('\n')
}
