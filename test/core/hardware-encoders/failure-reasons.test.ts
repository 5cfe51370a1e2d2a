import t from 'tap'
import type { DeviceFacts, DeviceNode } from '../../../src/core/hardware-encoders/device-nodes.ts'
import { explainUnusableOutput, explainFailedRun } from '../../../src/core/hardware-encoders/failure-reasons.ts'
import { FAMILIES, type FamilyName } from '../../../src/core/hardware-encoders/families.ts'

const node = (facts: Partial<DeviceNode> = {}): DeviceNode => ({
  path: '/dev/dri/renderD128',
  isAccessible: true,
  groupId: 104,
  groupName: 'render',
  isForGroup: true,
  ...facts,
})

const EMPTY = { render: [], nvidia: [], video: [] }
const PRESENT: DeviceFacts = { account: 'phlix', nodes: { render: [node()], nvidia: [node()], video: [node()] } }

function explain(name: FamilyName, stderrTail: string, devices = PRESENT) {
  const family = FAMILIES.find((one) => one.name === name)
  if (family === undefined) throw new RangeError(name)
  const run = { outcome: 'exited', exitCode: 1, signal: null, stderrTail } as const
  return explainFailedRun(run, family, { devices, timeoutSeconds: 30 })
}

/** Messages of ffmpeg 4.4 to 7.1. */
const MESSAGES: [family: FamilyName, message: string, reason: RegExp, advice: RegExp | null][] = [
  ['nvenc', '[h264_nvenc @ 0x55ab9336c180] Cannot load libcuda.so.1', /missing: Cannot load libcuda/, /nvidia-driver/],
  ['nvenc', '[hevc_nvenc @ 0x1] Cannot load libnvidia-encode.so.1', /missing: Cannot load libnv/, /libnvidia-encode1/],
  [
    'nvenc',
    '[h264_nvenc @ 0x1] Driver does not support the required nvenc API version. Required: 12.1 Found: 11.1',
    /older than this ffmpeg requires: .*Found: 11\.1$/,
    /update the driver/,
  ],
  [
    'nvenc',
    '[h264_nvenc @ 0x1] The minimum required Nvidia driver for nvenc is 530.41.03 or newer',
    /older.*530\.41\.03/,
    /update/,
  ],
  [
    'nvenc',
    '[h264_nvenc @ 0x1] dl_fn->cuda_dl->cuInit(0) failed -> CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected',
    /finds no GPU/,
    /nvidia-smi/,
  ],
  [
    'nvenc',
    '[h264_nvenc @ 0x1] OpenEncodeSessionEx failed: out of memory (10): (no details)',
    /accepts no further encoder now/,
    /end other programs/,
  ],
  ['nvenc', '[av1_nvenc @ 0x1] Codec not supported', /does not support this codec.*Codec not supported/, null],
  ['nvenc', '[h264_nvenc @ 0x1] No capable devices found', /does not support/, null],
  ['nvenc', "[hevc_nvenc @ 0x1] Provided device doesn't support required NVENC features", /does not support/, null],
  [
    'vaapi',
    '[AVHWDeviceContext @ 0x55e9cddfda80] No VA display found for device /dev/dri/renderD128.',
    /missing: No VA display/,
    /mesa-va-drivers/,
  ],
  [
    'vaapi',
    '[AVHWDeviceContext @ 0x1] Failed to initialise VAAPI connection: -1 (unknown libva error).',
    /driver.*missing/,
    /intel-media-va-driver/,
  ],
  ['vaapi', '[hevc_vaapi @ 0x1] No usable encoding profile found.', /does not support this codec, profile/, null],
  [
    'vaapi',
    '[h264_vaapi @ 0x1] No usable encoding entrypoint found for profile VAProfileH264High (7).',
    /does not/,
    null,
  ],
  [
    'vaapi',
    '[h264_vaapi @ 0x1] Hardware does not support encoding at size 1280x720 (constraints: width 0-0 height 0-0).',
    /profile or size: Hardware does not support encoding at size/,
    null,
  ],
  [
    'qsv',
    '[h264_qsv @ 0x564c9c8e2180] Error initializing an internal MFX session: unsupported (-3)',
    /driver.*missing/,
    /libmfx/,
  ],
  ['qsv', '[h264_qsv @ 0x1] Error creating a MFX session: -9.', /driver.*missing/, /libmfx/],
  [
    'qsv',
    '[hevc_qsv @ 0x1] some encoding parameters are not supported by the QSV runtime. Please double check the input parameters.',
    /does not support/,
    null,
  ],
  ['amf', '[h264_amf @ 0x1] DLL libamfrt64.so.1 failed to open', /driver.*missing: DLL/, /amf-amdgpu-pro/],
  ['amf', '[av1_amf @ 0x1] CreateComponent(AMFVideoEncoderHW_AV1) failed with error 30', /does not support/, null],
  ['v4l2m2m', '[h264_v4l2m2m @ 0x1] Could not find a valid device', /does not support this codec/, null],
  ['videotoolbox', '[h264_videotoolbox @ 0x1] Error: cannot create compression session: -12908', /does not/, null],
  ['videotoolbox', "Unknown encoder 'h264_videotoolbox'", /does not have the encoder/, /media\.ffmpeg/],
  [
    'qsv',
    "Device creation failed: -542398533.\nFailed to set value 'vaapi=va:/dev/dri/renderD128' for option 'init_hw_device'",
    /does not accept the device: Device creation failed: -542398533\.$/,
    /libmfx/,
  ],
  ['vaapi', 'Something that was never seen before', /^ffmpeg failed: Something that was never seen before$/, null],
  ['vaapi', '', /^ffmpeg failed: it gave no reason$/, null],
]

for (const [family, message, reason, advice] of MESSAGES) {
  void t.test(`${family} is explained: ${message}`, (t) => {
    const general = 'Error initializing output stream 0:0 -- Error while opening encoder\nbench: maxrss=5kB'
    const problem = explain(family, `${message}\n${general}\nConversion failed!\n`)
    t.match(problem?.reason, reason)
    if (advice === null) t.equal(problem?.advice, null)
    else t.match(problem?.advice, advice)
    t.end()
  })
}

void t.test('a missing device is the reason, whatever ffmpeg says', (t) => {
  const none = { account: 'phlix', nodes: EMPTY }
  t.match(explain('vaapi', 'No VA display found', none), { reason: /no device node.*renderD128/, advice: /--device/ })
  t.match(explain('qsv', 'MFX session', none), { reason: /no device node.*renderD128/ })
  t.match(explain('amf', 'DLL x failed to open', none), { reason: /no device node.*renderD128/ })
  t.match(explain('nvenc', 'Cannot load libcuda.so.1', none), { reason: /nvidia0/, advice: /nvidia-modprobe/ })
  t.match(explain('v4l2m2m', 'Could not find a valid device', none), { reason: /video11/ })
  t.match(explain('videotoolbox', 'cannot create compression session', none), { reason: /does not support/ })
  t.match(explain('vaapi', "Unknown encoder 'h264_vaapi'", none), { reason: /does not have the encoder/ })
  t.end()
})

void t.test('a missing right is reported with the command that gives it', (t) => {
  const advise = (facts: Partial<DeviceNode>, account = 'phlix') => {
    const nodes = { ...EMPTY, render: [node({ isAccessible: false, ...facts })] }
    return explain('vaapi', 'No VA display found', { account, nodes })
  }
  t.match(advise({ groupName: 'video' }), {
    reason: 'the account phlix has no right to use /dev/dri/renderD128',
    advice: /^usermod -aG video phlix, then sign in again/,
  })
  t.match(advise({ groupName: null, groupId: 993 })?.advice, /^groupadd -g 993 render && usermod .*--group-add 993$/)
  t.match(advise({ isForGroup: false })?.advice, /^chgrp render \/dev\/dri\/renderD128 && chmod 660/)
  t.match(advise({}, 'root')?.advice, /a container needs --device \/dev\/dri\/renderD128/)
  const second = [node({ isAccessible: false }), node({ path: '/dev/dri/renderD129' })]
  t.match(explain('vaapi', 'No VA display found', { account: 'phlix', nodes: { ...EMPTY, render: second } }), {
    reason: /missing/,
  })
  t.end()
})

void t.test('a run without an error has no problem, whatever devices there are', (t) => {
  const run = { outcome: 'exited', exitCode: 0, signal: null, stderrTail: 'unsupported' } as const
  const around = { devices: { account: 'phlix', nodes: EMPTY }, timeoutSeconds: 30 }
  for (const family of FAMILIES) t.equal(explainFailedRun(run, family, around), null)
  t.end()
})

void t.test('a long or hostile message is cut', (t) => {
  const { reason = '' } = explain('nvenc', `[x @ 0x1] Cannot load lib${'x'.repeat(100_000)}`) ?? {}
  t.ok(reason.length < 300, `${reason.length} characters`)
  t.ok((explain('amf', `DLL ${' failed to'.repeat(20_000)}`)?.reason.length ?? 0) < 300)
  t.end()
})

void t.test('an output is usable only if every frame can be decoded', (t) => {
  const good = { bytes: 1000, frames: 60, outcome: 'exited', stderrTail: '' } as const
  t.equal(explainUnusableOutput(good), null)
  t.match(explainUnusableOutput({ ...good, bytes: 0, frames: 0 }), { reason: /wrote no file/ })
  t.match(explainUnusableOutput({ ...good, frames: 59 }), {
    reason: 'only 59 of 60 frames of the result can be decoded',
  })
  t.match(explainUnusableOutput({ ...good, outcome: 'timed_out' }), { reason: /took too long/ })
  t.match(explainUnusableOutput({ ...good, frames: 0, stderrTail: '[h264 @ 0x1] no frame!\n' }), {
    reason: /decoded: no frame!$/,
  })
  t.end()
})
