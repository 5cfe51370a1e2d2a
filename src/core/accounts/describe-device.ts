import { createHash } from 'node:crypto'
import type { Device, DeviceInput } from './device.ts'

const MAX_ID_LENGTH = 255
const MAX_NAME_LENGTH = 100
const MAX_TYPE_LENGTH = 50
/** Longer headers are not read further. */
const MAX_USER_AGENT_LENGTH = 512

/** The first word that a `User-Agent` contains decides. Browsers name those that they descend from, so the order matters. */
const PROGRAMS: readonly (readonly [word: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
]

const SYSTEMS: readonly (readonly [word: string, name: string, type: string])[] = [
  ['Tizen', 'Samsung television', 'tv'],
  ['Web0S', 'LG television', 'tv'],
  ['SmartTV', 'television', 'tv'],
  ['Roku', 'Roku', 'tv'],
  ['iPad', 'iPad', 'tablet'],
  ['iPhone', 'iPhone', 'phone'],
  ['Android', 'Android', 'phone'],
  ['Windows', 'Windows', 'browser'],
  ['CrOS', 'ChromeOS', 'browser'],
  ['Macintosh', 'macOS', 'browser'],
  ['Linux', 'Linux', 'browser'],
]

/** Describes the device of a sign-in by what the client says, else by its `User-Agent`. Pure. */
export function describeDevice({ id, name, type, userAgent = '' }: DeviceInput): Device {
  const derived = readUserAgent(userAgent.slice(0, MAX_USER_AGENT_LENGTH))
  return {
    id: cleaned(id, MAX_ID_LENGTH) || null,
    name: cleaned(name, MAX_NAME_LENGTH) || derived.name,
    type: cleaned(type, MAX_TYPE_LENGTH) || derived.type,
  }
}

/**
 * What identifies a device at its next sign-in: the id that it keeps, else its name and type at one client address. Pure.
 * @param clientKey the address, as rate limits count it
 * @returns 32 bytes
 */
export function computeDeviceDigest({ id, name, type }: Device, clientKey: string | null): Buffer {
  const marks = id === null ? ['derived', name, type, clientKey] : ['id', id]
  return createHash('sha256').update(JSON.stringify(marks)).digest()
}

function readUserAgent(text: string): Pick<Device, 'name' | 'type'> {
  const program = PROGRAMS.find(([word]) => text.includes(word))?.[1]
  const system = SYSTEMS.find(([word]) => text.includes(word))
  if (system !== undefined) {
    const [, systemName, type] = system
    return { name: program === undefined || type === 'tv' ? systemName : `${program} on ${systemName}`, type }
  }
  // Programs other than browsers begin with their own name: `curl/8.5.0`.
  const own = cleaned(/^[^/ (]{1,50}/.exec(text)?.[0], MAX_NAME_LENGTH)
  return { name: program ?? (own || 'Unknown device'), type: program === undefined ? 'app' : 'browser' }
}

/** Without control and formatting characters, which could hide or reorder other text. */
function cleaned(text: string | null | undefined, maxLength: number): string {
  const visible = (text ?? '')
    .slice(0, maxLength * 4)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  return Array.from(visible).slice(0, maxLength).join('').trim()
}
