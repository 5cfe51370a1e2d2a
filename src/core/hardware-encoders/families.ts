export type FamilyName = 'vaapi' | 'qsv' | 'nvenc' | 'videotoolbox' | 'v4l2m2m' | 'amf'

/** Kinds of device nodes: render nodes of GPUs, nodes of NVIDIA's own driver, video devices of the kernel. */
export type DeviceKind = 'render' | 'nvidia' | 'video'

/** An interface to hardware encoders. */
export type EncoderFamily = Readonly<{
  name: FamilyName
  title: string
  /** The nodes that it opens; null if it opens none. */
  device: DeviceKind | null
  /** What to install if its libraries are missing. */
  driverAdvice: string
}>

export const FAMILIES: readonly EncoderFamily[] = [
  {
    name: 'vaapi',
    title: 'VAAPI',
    device: 'render',
    driverAdvice: 'apt-get install intel-media-va-driver (Intel) or mesa-va-drivers (AMD); vainfo shows the result',
  },
  {
    name: 'qsv',
    title: 'QSV',
    device: 'render',
    driverAdvice:
      'apt-get install intel-media-va-driver, and libmfx1 or libmfx-gen1.2, for an Intel GPU; other makers have no QSV',
  },
  {
    name: 'nvenc',
    title: 'NVENC',
    device: 'nvidia',
    driverAdvice: 'apt-get install nvidia-driver libnvidia-encode1; in a container, give it the capability “video”',
  },
  {
    name: 'videotoolbox',
    title: 'VideoToolbox',
    device: null,
    driverAdvice: 'VideoToolbox is a part of macOS; no other system has it',
  },
  {
    name: 'v4l2m2m',
    title: 'V4L2M2M',
    device: 'video',
    driverAdvice: 'load the kernel module of the encoder, for example bcm2835-codec on a Raspberry Pi',
  },
  {
    name: 'amf',
    title: 'AMF',
    device: 'render',
    driverAdvice: 'install the AMF runtime of AMD (package amf-amdgpu-pro); VAAPI works without it',
  },
]

const CODECS = ['h264', 'hevc', 'av1'] as const

export type HardwareEncoder = Readonly<{ name: string; family: EncoderFamily; codec: string }>

/** All encoders of the families, whether an ffmpeg has them or not. */
const KNOWN: readonly HardwareEncoder[] = FAMILIES.flatMap((family) =>
  CODECS.map((codec) => ({ name: `${codec}_${family.name}`, family, codec })),
)

/** The hardware encoders among the encoders of an ffmpeg. */
export function filterHardwareEncoders(names: ReadonlySet<string>): HardwareEncoder[] {
  return KNOWN.filter(({ name }) => names.has(name))
}

/** The hardware encoder with a name; undefined for a name that no ffmpeg uses. */
export function findHardwareEncoder(name: string): HardwareEncoder | undefined {
  return KNOWN.find((encoder) => encoder.name === name)
}
