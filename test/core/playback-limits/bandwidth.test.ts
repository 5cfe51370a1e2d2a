import t from 'tap'
import { createAllowedTimes } from '../../../src/core/playback-limits/time-windows.ts'
import {
  computeAvailableKbps,
  computeMaxKbps,
  computeFileStreamNeeds,
  requireBandwidth,
} from '../../../src/core/playback-limits/bandwidth.ts'
import type { PlaybackLimits } from '../../../src/core/playback-limits/playback-limits.ts'

const ruleOf = (account: number | null, profile: number | null): PlaybackLimits => ({
  accountId: 'a',
  profileId: 'p',
  schedules: { ofAccount: [], ofProfile: [] },
  allowedTimes: createAllowedTimes([]),
  ofAccount: { maxStreams: null, maxKbps: account },
  ofProfile: { maxStreams: null, maxKbps: profile },
})

void t.test('what is left is the less of account and profile, and never below nothing', (t) => {
  const used = { ofAccount: 700, ofProfile: 300 }
  t.equal(computeAvailableKbps(ruleOf(null, null), used), null)
  t.equal(computeAvailableKbps(ruleOf(1000, null), used), 300)
  t.equal(computeAvailableKbps(ruleOf(null, 1000), used), 700)
  t.equal(computeAvailableKbps(ruleOf(1000, 400), used), 100)
  t.equal(computeAvailableKbps(ruleOf(500, null), used), 0)
  t.equal(computeMaxKbps(ruleOf(1000, 400)), 400)
  t.end()
})

void t.test('a file needs its bit rate, or its average if that is more; an unknown one passes', (t) => {
  const needs = (bitrate: number | null, sizeBytes: number | null, durationSeconds: number | null) =>
    computeFileStreamNeeds({ bitrate, sizeBytes, durationSeconds }).kbps
  t.equal(needs(2_000_000, null, null), 2000)
  t.equal(needs(1_000_000, 500_000, 2), 2000)
  t.equal(needs(null, 500_000, 0), 0)
  t.equal(needs(null, null, 10), 0)
  requireBandwidth({ kbps: 0, isLowest: false }, 0)
  requireBandwidth({ kbps: 500, isLowest: false }, 500)
  requireBandwidth({ kbps: 500, isLowest: true }, 0)
  requireBandwidth({ kbps: 500, isLowest: false }, null)
  t.throws(() => requireBandwidth({ kbps: 501, isLowest: false }, 500), { code: 'StreamLimitExceeded' })
  t.end()
})
