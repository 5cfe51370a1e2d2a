import type { BenchmarkArguments } from '../platform/media-tools/index.ts'
import type { HardwareEncoder } from './families.ts'

/** The generated picture: two seconds at 1280x720. */
export const TEST_FRAMES = 60

/** Half a second is generated and repeated from memory, because generating all frames would take longer than encoding them in hardware. */
const GENERATED_FRAMES = 15
const PICTURE = 'testsrc2=size=1280x720:rate=30'
const REPEATED = `loop=loop=${TEST_FRAMES / GENERATED_FRAMES - 1}:size=${GENERATED_FRAMES}`

const RATE = ['-b:v', '4M', '-maxrate', '5M', '-bufsize', '5M', '-g', '60']

type Arguments = Pick<BenchmarkArguments, 'input' | 'before' | 'after'>

/** Returns the arguments that encode the generated picture with a hardware encoder. `device` is the path of its node, if it has one. */
export function hardwareArguments({ name, family }: HardwareEncoder, device: string | null): Arguments {
  const coding = ['-c:v', name, ...RATE]
  switch (family.name) {
    case 'vaapi':
      return {
        input: generated('nv12'),
        before: device === null ? [] : ['-vaapi_device', device],
        after: ['-vf', 'hwupload', ...coding],
      }
    case 'qsv':
      // The session of QSV is derived from a VAAPI device, because QSV does not accept a node itself.
      return {
        input: generated('nv12'),
        before: device === null ? [] : ['-init_hw_device', `vaapi=va:${device}`, '-init_hw_device', 'qsv=qs@va'],
        after: coding,
      }
    case 'amf':
      return { input: generated('nv12'), before: [], after: coding }
    case 'nvenc':
    case 'videotoolbox':
    case 'v4l2m2m':
      return { input: generated('yuv420p'), before: [], after: coding }
  }
}

/** Returns the arguments that encode the same picture with the software encoder and the preset of streams. */
export function softwareArguments(): Arguments {
  return { input: generated('yuv420p'), before: [], after: ['-c:v', SOFTWARE_ENCODER, '-preset', 'veryfast', ...RATE] }
}

export const SOFTWARE_ENCODER = 'libx264'

function generated(pixelFormat: string): { graph: string } {
  const seconds = GENERATED_FRAMES / 30
  return { graph: `${PICTURE}:duration=${seconds},format=${pixelFormat},${REPEATED}` }
}
