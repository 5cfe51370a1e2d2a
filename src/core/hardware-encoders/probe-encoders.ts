import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EncodingBenchmark, BenchmarkArguments, MediaTools } from '../platform/media-tools/index.ts'
import { readDeviceFacts, type DeviceFacts } from './device-nodes.ts'
import type { EncoderProblem } from './device-problems.ts'
import { hardwareArguments, SOFTWARE_ENCODER, softwareArguments, TEST_FRAMES } from './encoder-arguments.ts'
import { explainUnusableOutput, explainFailedRun, NOT_IN_FFMPEG } from './failure-reasons.ts'
import {
  FAMILIES,
  findHardwareEncoder,
  filterHardwareEncoders,
  type EncoderFamily,
  type FamilyName,
  type HardwareEncoder,
} from './families.ts'

/** The result for one encoder; every value except the names is null if it was not tested. */
export type ProbedEncoder = Readonly<{
  name: string
  family: FamilyName
  codec: string
  /** The device node that the encoder used, or the last node that was tried. */
  device: string | null
  ok: boolean | null
  /** Frames per second at 1280x720. */
  fps: number | null
  /** Speed relative to the software encoder: 2 is twice as fast. Null if this encoder or the software encoder failed. */
  ratio: number | null
  reason: string | null
  advice: string | null
}>

export type ProbedSoftware = Pick<ProbedEncoder, 'name' | 'ok' | 'fps' | 'reason' | 'advice'>

export type EncoderProbe = Readonly<{
  ffmpeg: { version: string; path: string }
  encoders: readonly ProbedEncoder[]
  software: ProbedSoftware
  /** The families of which this ffmpeg has no encoder. */
  absentFamilies: readonly EncoderFamily[]
}>

export type ProbeInput = {
  /** Existing folder for temporary files. */
  folder: string
  /** The encoders to probe, by name; empty for all that this ffmpeg has. */
  names: readonly string[]
  isTested: boolean
  signal: AbortSignal
  /** Time limit of one encoder. */
  timeoutSeconds?: number
  /** Default: the devices of this machine. */
  devices?: DeviceFacts
  /** Called before each test with the name of the encoder. */
  onTest?: (name: string) => void
}

type Services = {
  mediaTools: Pick<MediaTools, 'version' | 'componentsOf' | 'benchmark' | 'countFrames' | 'ffmpegPath'>
}

const TIMEOUT_SECONDS = 30

/**
 * Lists the hardware encoders of ffmpeg. If they are tested, each encodes two seconds of a generated picture, which are decoded again; the
 * software encoder is tested too. Requested encoders that this ffmpeg does not have are part of the result.
 * @throws AppError `tool_missing`, `tool_failed`; the signal's reason when aborted
 */
export async function probeEncoders(services: Services, input: ProbeInput): Promise<EncoderProbe> {
  const { mediaTools } = services
  const { text: version } = await mediaTools.version('ffmpeg')
  const present = filterHardwareEncoders(await mediaTools.componentsOf('encoders'))
  const wanted =
    input.names.length === 0 ? present : [...new Set(input.names)].flatMap((name) => findHardwareEncoder(name) ?? [])
  const devices = input.devices ?? (await readDeviceFacts())
  const software = input.isTested ? await testSoftware(services, input, devices) : UNTESTED_SOFTWARE
  const encoders: ProbedEncoder[] = []
  for (const encoder of wanted) {
    if (!present.includes(encoder)) encoders.push({ ...untested(encoder), ok: false, ...NOT_IN_FFMPEG })
    else if (!input.isTested) encoders.push(untested(encoder))
    else encoders.push(await testHardware(services, { ...input, encoder, devices, softwareFps: software.fps }))
  }
  return {
    ffmpeg: { version, path: mediaTools.ffmpegPath() },
    encoders,
    software,
    absentFamilies: FAMILIES.filter((family) => present.every((encoder) => encoder.family !== family)),
  }
}

const UNTESTED_SOFTWARE: ProbedSoftware = { name: SOFTWARE_ENCODER, ok: null, fps: null, reason: null, advice: null }

function untested({ name, family, codec }: HardwareEncoder): ProbedEncoder {
  const unknown = { device: null, ok: null, fps: null, ratio: null, reason: null, advice: null }
  return { name, family: family.name, codec, ...unknown }
}

async function testSoftware(services: Services, input: ProbeInput, devices: DeviceFacts): Promise<ProbedSoftware> {
  input.onTest?.(SOFTWARE_ENCODER)
  const tested = await test(services, { ...input, arguments: softwareArguments(), family: SOFTWARE_FAMILY, devices })
  return { name: SOFTWARE_ENCODER, ...verdictOf(tested) }
}

const SOFTWARE_FAMILY = { device: null, driverAdvice: 'install ffmpeg from Debian' }

type HardwareTest = ProbeInput & { encoder: HardwareEncoder; devices: DeviceFacts; softwareFps: number | null }

/** Tests an encoder with each accessible node until one works: a machine can have several GPUs. */
async function testHardware(services: Services, input: HardwareTest): Promise<ProbedEncoder> {
  const { encoder, devices, softwareFps } = input
  const { family } = encoder
  input.onTest?.(encoder.name)
  const nodes = family.device === null ? [] : devices.nodes[family.device].filter(({ isAccessible }) => isAccessible)
  // Only render nodes are chosen by an argument; the other encoders find their devices themselves.
  const places = family.device === 'render' && nodes.length > 0 ? nodes.map(({ path }) => path) : [null]
  const plain = untested(encoder)
  let last = plain
  for (const device of places) {
    const tested = await test(services, { ...input, arguments: hardwareArguments(encoder, device), family })
    const verdict = verdictOf(tested)
    const ratio = verdict.fps === null || softwareFps === null ? null : verdict.fps / softwareFps
    last = { ...plain, device, ...verdict, ratio }
    if (verdict.ok) return last
  }
  return last
}

type Verdict = { ok: boolean; fps: number | null; reason: string | null; advice: string | null }

function verdictOf(tested: EncoderProblem | { fps: number }): Verdict {
  return 'fps' in tested
    ? { ok: true, fps: tested.fps, reason: null, advice: null }
    : { ok: false, fps: null, reason: tested.reason, advice: tested.advice }
}

type Test = Pick<ProbeInput, 'folder' | 'signal' | 'timeoutSeconds'> & {
  arguments: Omit<BenchmarkArguments, 'output'>
  family: Pick<EncoderFamily, 'device' | 'driverAdvice'>
  devices: DeviceFacts
}

/** Encodes the generated picture, decodes the result, and returns the speed or the problem. */
async function test({ mediaTools }: Services, what: Test): Promise<EncoderProblem | { fps: number }> {
  const { folder, signal, timeoutSeconds = TIMEOUT_SECONDS, family, devices } = what
  const output = join(folder, 'encoded.mkv')
  const limits = { timeoutSeconds, signal }
  try {
    const run = await mediaTools.benchmark({ ...what.arguments, output }, limits)
    signal.throwIfAborted()
    return (
      explainFailedRun(run, family, { devices, timeoutSeconds }) ??
      (await judgeOutput(mediaTools, { output, run, limits }))
    )
  } finally {
    await rm(output, { force: true })
  }
}

type Output = {
  output: string
  run: Pick<EncodingBenchmark, 'times'>
  limits: { timeoutSeconds: number; signal: AbortSignal }
}

async function judgeOutput(
  mediaTools: Services['mediaTools'],
  { output, run, limits }: Output,
): Promise<EncoderProblem | { fps: number }> {
  const bytes = (await stat(output).catch(() => ({ size: 0 }))).size
  const nothing = { outcome: 'exited', stderrTail: '', frames: 0 } as const
  const decoded = bytes === 0 ? nothing : await mediaTools.countFrames(output, limits)
  limits.signal.throwIfAborted()
  const problem = explainUnusableOutput({ ...decoded, bytes })
  if (problem !== null) return problem
  if (run.times === null) return { reason: 'ffmpeg does not report how long it took', advice: null }
  return { fps: TEST_FRAMES / run.times.realSeconds }
}
