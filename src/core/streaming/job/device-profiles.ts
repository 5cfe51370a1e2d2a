export const DEVICE_PROFILE_NAMES = ['generic', 'mobile-low', 'mobile-high', 'web', 'tv-4k'] as const

export type DeviceProfileName = (typeof DEVICE_PROFILE_NAMES)[number]

/** The picture size and the bit rate that a kind of device supports. */
export type DeviceProfile = Readonly<{
  name: DeviceProfileName
  maxWidth: number
  maxHeight: number
  maxBitrate: number
}>

/** Limits of the device profiles. */
const PROFILES: Readonly<Record<DeviceProfileName, DeviceProfile>> = {
  generic: { name: 'generic', maxWidth: 1920, maxHeight: 1080, maxBitrate: 8_000_000 },
  'mobile-low': { name: 'mobile-low', maxWidth: 854, maxHeight: 480, maxBitrate: 2_000_000 },
  'mobile-high': { name: 'mobile-high', maxWidth: 1920, maxHeight: 1080, maxBitrate: 6_500_000 },
  web: { name: 'web', maxWidth: 1920, maxHeight: 1080, maxBitrate: 12_000_000 },
  'tv-4k': { name: 'tv-4k', maxWidth: 3840, maxHeight: 2160, maxBitrate: 40_000_000 },
}

/** Device type header values in lower case, and their profiles. All other values map to `web`. */
const PROFILE_OF_DEVICE: ReadonlyMap<string, DeviceProfileName> = new Map([
  ['tizen', 'tv-4k'],
  ['samsung-tizen', 'tv-4k'],
  ['roku', 'tv-4k'],
  ['android', 'mobile-high'],
  ['ios', 'mobile-high'],
  ['windows', 'generic'],
])

/**
 * Resolves the profile of a request. An explicit name takes precedence; otherwise the device type header decides. An unknown explicit
 * name is ignored, like an unknown header value.
 */
export function resolveDeviceProfile(request: {
  profile?: string | undefined
  deviceType?: string | undefined
}): DeviceProfile {
  const { profile } = request
  if (profile !== undefined && Object.hasOwn(PROFILES, profile)) return PROFILES[profile as DeviceProfileName]
  return PROFILES[PROFILE_OF_DEVICE.get(request.deviceType?.trim().toLowerCase() ?? '') ?? 'web']
}
