import type { EncodingBenchmark } from '../platform/media-tools/index.ts'
import { describeDeviceProblem, type EncoderProblem } from './device-problems.ts'
import type { DeviceFacts } from './device-nodes.ts'
import { TEST_FRAMES } from './encoder-arguments.ts'
import type { EncoderFamily } from './families.ts'

/** What an explanation uses of a family; the software encoder has no family. */
type Needs = Pick<EncoderFamily, 'device' | 'driverAdvice'>

type Ended = Pick<EncodingBenchmark, 'outcome' | 'exitCode' | 'signal' | 'stderrTail'>

/** The decoded result of an encoder. */
export type DecodedResult = Pick<Ended, 'outcome' | 'stderrTail'> & { bytes: number; frames: number }

const UPDATE = 'update the driver and ffmpeg'

export const NOT_IN_FFMPEG: EncoderProblem = {
  reason: 'this ffmpeg does not have the encoder',
  advice: 'install an ffmpeg that is built with it, or set media.ffmpeg to the path of one',
}

/** Known messages of ffmpeg's encoders and hardware devices, the more specific messages first. */
const MESSAGES: readonly {
  pattern: RegExp
  problem: (line: string, family: Needs) => EncoderProblem
}[] = [
  { pattern: /^Unknown encoder '/, problem: () => NOT_IN_FFMPEG },
  {
    pattern: /minimum required Nvidia driver|does not support the required nvenc API version/,
    problem: (line) => ({ reason: `the driver is older than this ffmpeg requires: ${line}`, advice: UPDATE }),
  },
  {
    pattern: /CUDA_ERROR_NO_DEVICE/,
    problem: () => ({
      reason: 'the driver finds no GPU',
      advice: 'nvidia-smi lists the GPUs; load the kernel module nvidia and nvidia-uvm',
    }),
  },
  {
    pattern: /OpenEncodeSessionEx failed: out of memory|hardware encoder may be busy/,
    problem: (line) => ({
      reason: `the GPU accepts no further encoder now: ${line}`,
      advice: 'end other programs that encode, then repeat the test',
    }),
  },
  {
    pattern:
      /Cannot load lib|No VA display found|initiali[sz]e VAAPI connection|MFX session|Failed to open the drm|^DLL .{1,200} failed to open/,
    problem: (line, { driverAdvice }) => ({
      reason: `the driver, or a library of it, is missing: ${line}`,
      advice: driverAdvice,
    }),
  },
  {
    pattern:
      /No usable encoding|does not support encoding at size|unsupported|not supported|doesn't support|does not support|No capable devices|Could not find a valid device|cannot create compression session|CreateComponent/i,
    problem: (line) => ({
      reason: `the hardware does not support this codec, profile or size: ${line}`,
      advice: null,
    }),
  },
  {
    pattern: /^Device creation failed/,
    problem: (line, { driverAdvice }) => ({
      reason: `the driver does not accept the device: ${line}`,
      advice: driverAdvice,
    }),
  },
]

/** Explains why a run of an encoder has failed; null if ffmpeg reported success. Pure. */
export function explainFailedRun(
  run: Ended,
  family: Needs,
  around: { devices: DeviceFacts; timeoutSeconds: number },
): EncoderProblem | null {
  return explainEnd(run, around) ?? explainExit(run, family, around.devices)
}

/** A run that a signal or the time limit ended. */
function explainEnd(
  { outcome, exitCode, signal }: Ended,
  { timeoutSeconds }: { timeoutSeconds: number },
): EncoderProblem | null {
  if (outcome === 'timed_out') {
    return { reason: `ffmpeg did not end within ${timeoutSeconds} seconds`, advice: UPDATE }
  }
  if (signal !== null || (exitCode !== null && exitCode >= FIRST_SIGNAL_EXIT)) {
    const name = signal ?? `exit code ${exitCode}`
    return { reason: `ffmpeg crashed (${name}), probably in the driver`, advice: UPDATE }
  }
  return null
}

/** A shell reports a signal as 128 and its number; ffmpeg itself exits with 255 after an interruption, which the probe does not cause. */
const FIRST_SIGNAL_EXIT = 129

function explainExit({ exitCode, stderrTail }: Ended, family: Needs, devices: DeviceFacts): EncoderProblem | null {
  if (exitCode === 0) return null
  const lines = linesOf(stderrTail)
  const isUnknown = lines.some((line) => line.startsWith("Unknown encoder '"))
  const ofDevice = isUnknown ? null : describeDeviceProblem(family, devices)
  if (ofDevice !== null) return ofDevice
  for (const { pattern, problem } of MESSAGES) {
    const line = lines.find((one) => pattern.test(one))
    if (line !== undefined) return problem(line, family)
  }
  return { reason: `ffmpeg failed: ${lines.at(-1) ?? 'it gave no reason'}`, advice: null }
}

/** Explains why the output of an encoder that reported success cannot be used; null if every frame can be decoded. Pure. */
export function explainUnusableOutput({ bytes, frames, outcome, stderrTail }: DecodedResult): EncoderProblem | null {
  if (bytes === 0) return { reason: 'ffmpeg reported success but wrote no file', advice: UPDATE }
  if (outcome === 'timed_out') return { reason: 'decoding the result took too long', advice: UPDATE }
  if (frames === 0) {
    const line = linesOf(stderrTail).at(-1) ?? 'no frame'
    return { reason: `ffmpeg reported success but the result cannot be decoded: ${line}`, advice: UPDATE }
  }
  if (frames >= TEST_FRAMES) return null
  return { reason: `only ${frames} of ${TEST_FRAMES} frames of the result can be decoded`, advice: UPDATE }
}

const MAX_LINE_LENGTH = 200

/** ffmpeg ends every failed run with these; they are not a cause. */
const GENERAL =
  /^(?:bench: |Conversion failed!|Error parsing global options|Error initializing output stream|Error opening output file|Nothing was written)/

/** The lines of an error output without the names and addresses of ffmpeg's parts, and without lines that name no cause. */
function linesOf(errorOutput: string): string[] {
  return errorOutput
    .split('\n')
    .map((line) =>
      line
        .replace(/^(?:\[[^\]]{1,80}\] )+/, '')
        .trim()
        .slice(0, MAX_LINE_LENGTH),
    )
    .filter((line) => line !== '' && !GENERAL.test(line))
}
