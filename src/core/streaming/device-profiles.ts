export const DEVICE_PROFILE_NAMES = ['generic', 'mobile-low', 'mobile-high', 'web', 'tv-4k'] as const

export type DeviceProfileName = (typeof DEVICE_PROFILE_NAMES)[number]

/** What a kind of device can show, and the bits per second that it can be sent. */
export type DeviceProfile = Readonly<{
  name: DeviceProfileName
  maxWidth: number
  maxHeight: number
  maxBitrate: number
}>

/** The five profiles of document 2; it names them and leaves their limits open. */
const PROFILES: Readonly<Record<DeviceProfileName, DeviceProfile>> = {
  generic: { name: 'generic', maxWidth: 1920, maxHeight: 1080, maxBitrate: 8_000_000 },
  'mobile-low': { name: 'mobile-low', maxWidth: 854, maxHeight: 480, maxBitrate: 2_000_000 },
  'mobile-high': { name: 'mobile-high', maxWidth: 1920, maxHeight: 1080, maxBitrate: 6_500_000 },
  web: { name: 'web', maxWidth: 1920, maxHeight: 1080, maxBitrate: 12_000_000 },
  'tv-4k': { name: 'tv-4k', maxWidth: 3840, maxHeight: 2160, maxBitrate: 40_000_000 },
}

/**
 * Device type header values, lower case, to profiles; everything else is `web` (document 2; decisions 3.1, Headers).
 */
const PROFILE_OF_DEVICE: ReadonlyMap<string, DeviceProfileName> = new Map([
  ['tizen', 'tv-4k'],
  ['samsung-tizen', 'tv-4k'],
  ['roku', 'tv-4k'],
  ['android', 'mobile-high'],
  ['ios', 'mobile-high'],
  ['windows', 'generic'],
])

/**
 * The profile of a request: an explicit name wins, else it derives from the device type header (document 2, Device
 * profile resolution). An explicit name that does not exist counts as none, as the header's unknown values do.
 */
export function resolveDeviceProfile(request: {
  profile?: string | undefined
  deviceType?: string | undefined
}): DeviceProfile {
  const { profile } = request
  if (profile !== undefined && Object.hasOwn(PROFILES, profile)) return PROFILES[profile as DeviceProfileName]
  return PROFILES[PROFILE_OF_DEVICE.get(request.deviceType?.trim().toLowerCase() ?? '') ?? 'web']
}
