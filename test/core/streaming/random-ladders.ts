import type { Test } from 'tap'
import { chooseLadder } from '../../../src/core/streaming/ladder/choose-ladder.ts'
import { DEVICE_PROFILE_NAMES, resolveDeviceProfile } from '../../../src/core/streaming/job/device-profiles.ts'
import type { LadderSource } from '../../../src/core/streaming/ladder/ladder-source.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

function randomSource({ below, pick }: SeededRandom): LadderSource {
  return {
    width: pick([null, 0, 1 + below(8000), 1 + below(2000), 1920, 1280, 854]),
    height: pick([null, 0, 1 + below(4500), 1 + below(1200), 1080, 720, 480]),
    bitrate: pick([null, 0, 1 + below(60_000_000), 30_000 + below(3_000_000)]),
    frameRate: pick([null, '0/0', '24000/1001', '25/1', '60/1', '120/1']),
    videoCodec: pick([null, 'h264', 'avc1', 'hevc', 'vp9']),
    videoProfile: pick([null, 'High', 'Main', 'High 10']),
    videoLevel: pick([null, 9, 31, 40, 52, 250]),
    pixelFormat: pick([null, 'yuv420p', 'yuv420p10le']),
    rotationDegrees: pick([0, 0, 0, 90]),
    hasAudio: pick([true, true, false]),
    audioCodec: pick([null, 'aac', 'ac3']),
    audioProfile: pick([null, 'LC', 'HE-AAC', 'Main']),
    audioBitrate: pick([null, 0, 1 + below(2_000_000)]),
    audioChannels: pick([null, 1, 2, 6, 8, 16]),
    isCuttable: pick([null, true, false]),
    hasAdditionalAudio: pick([true, false]),
    copiedRates: pick([null, { average: 1 + below(20_000_000), peak: 20_000_000 + below(60_000_000) }]),
  }
}

/** Ladders of random sources on random devices. */
export function keepsPromises(t: Test, { random, sources }: { random: SeededRandom; sources: number }): void {
  const faults: string[] = []
  for (let round = 0; round < sources; round += 1) {
    const film = randomSource(random)
    const profile = resolveDeviceProfile({ profile: random.pick(DEVICE_PROFILE_NAMES) })
    const found = chooseLadder(film, profile)
    const [width, height] = film.width && film.height ? [film.width, film.height] : [1920, 1080]
    const promises = {
      'it has a rung': found.length > 0,
      'one of them is the original': found.filter(({ isOriginal }) => isOriginal).length === 1,
      'the original comes first': found[0]?.isOriginal === true,
      'no upscaling': found.every((one) => one.width <= Math.max(2, width) && one.height <= Math.max(2, height)),
      'no more bits than the source': found.every((one) => !film.bitrate || one.videoBitrate <= film.bitrate),
      'the size of the device': found.every((one) => one.width <= profile.maxWidth && one.height <= profile.maxHeight),
      'the bandwidth of the device': found.every((one) => one.bitrate <= profile.maxBitrate),
      'even sizes where it is encoded': found.every(
        (one) => one.isCopy || (one.width % 2 === 0 && one.height % 2 === 0),
      ),
      'no duplicate': new Set(found.map(({ id }) => id)).size === found.length,
      'highest first': found.every((one, at) => at === 0 || one.bitrate <= (found[at - 1]?.bitrate ?? 0)),
      'a copy has a bandwidth of its own': found[0]?.isCopy !== true || found[0].bitrate > (found[1]?.bitrate ?? 0),
      'known ids': found.every(({ id }) => /^(?:original|\d+p)$/.test(id)),
      'positive numbers': found.every((one) => one.videoBitrate > 0 && one.bitrate > one.videoBitrate),
      determinism: JSON.stringify(found) === JSON.stringify(chooseLadder({ ...film }, profile)),
    }
    for (const [promise, isKept] of Object.entries(promises)) {
      if (!isKept) faults.push(`${promise}: ${profile.name} ${JSON.stringify(film)}`)
    }
  }
  t.strictSame(faults.slice(0, 5), [])
}
